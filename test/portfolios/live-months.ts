import { expect } from 'vitest'
import { addPortfolio, syncPortfolio } from '../../src/portfolios/keep-portfolio.ts'
import type { Sandbox } from '../../src/sandbox/sandbox.ts'
import type { Database } from '../../src/store/connect.ts'
import { listSweeps, type Sweep } from '../../src/store/radars/sweeps.ts'
import { type Random, seededRandom } from '../chaos/random.ts'
import { cpfs, csvOf } from '../support/documents.ts'
import { applyDifferences, type Figures, readDifferences, readReport } from './report-files.ts'

export const month = 30 * 86_400_000
const months = 24

/** An installation in which a portfolio runs each month, and how a run that is due is brought to its end there. */
type Installation = {
  sql: Database
  sandbox: Sandbox
  home: string
  clock: () => Date
  /** Lets a month pass. */
  turn(): void
  /** `affordable` is how many look-ups the run may pay for. */
  run(affordable: number | null): Promise<Sweep>
}

/**
 * Two years of a portfolio whose figures and list change from month to month, and whose budget does not always suffice.
 * The differences of each month, applied to what was known, must give the report of that month.
 */
export const liveMonths = async (installation: Installation): Promise<void> => {
  const { sql, sandbox, home, clock } = installation
  const random = seededRandom(24)
  let documents = cpfs(12)
  for (const document of documents) sandbox.plantChange(document, anyFigures(random))
  const organizationId = sandbox.account.organizationId
  const list = { name: 'Clients', kind: 'analysis' as const, everyMs: month, organizationId }
  await addPortfolio(sql, { ...list, open: opened(documents) }, { by: 'test', now: clock() })

  let known: Figures = new Map()
  const seen = new Set<string>()
  for (let n = 0; n < months; n++) {
    const affordable = random.between(0, 3) === 0 ? documents.length - 2 : null
    const run = await installation.run(affordable)
    const differences = await readDifferences(String(run.detail.file))
    const report = await readReport(home, run.detail.batch as number)

    expect(run).toMatchObject({ state: 'done', due: documents.length })
    expect(uncheckedIn(differences)).toEqual(report.unchecked)
    known = n === 0 ? report.known : applyDifferences(known, differences)
    for (const [document, figures] of report.known)
      expect([document, figuresIn(known, document)]).toEqual([document, [...figures].sort()])
    expect([...known.keys()].filter((document) => !documents.includes(document))).toEqual([])
    for (const { verdict } of differences) seen.add(verdict)

    for (const document of documents) if (random.between(0, 2) > 0) sandbox.plantChange(document, anyFigures(random))
    if (random.between(0, 1) === 0) {
      documents = [...documents.slice(random.between(1, 2)), ...cpfs(random.between(1, 3), 100 + n * 5)]
      await syncPortfolio(sql, { name: 'clients', open: opened(documents) }, { by: 'test', now: clock() })
    }
    installation.turn()
  }

  expect([...seen].sort()).toEqual(['added', 'better', 'cleared', 'new', 'removed', 'unchecked', 'worse'])
  expect(await listSweeps(sql, { name: 'portfolio', limit: 99 })).toHaveLength(months)
}

const opened = (documents: string[]) =>
  async function* () {
    yield Buffer.from(csvOf(documents))
  }

const uncheckedIn = (differences: { document: string; verdict: string }[]): string[] =>
  differences
    .filter(({ verdict }) => verdict === 'unchecked')
    .map(({ document }) => document)
    .sort()

const figuresIn = (known: Figures, document: string): [string, string][] => [...(known.get(document) ?? [])].sort()

const anyFigures = (random: Random) => ({
  figures: Object.fromEntries(
    ['RISK_WORKER', 'RISK_CRIMINAL', 'RISK_PROTEST'].map((key) => {
      const count = random.between(0, 3)
      return [key, { count, cents: count * random.between(0, 90_000) }]
    }),
  ),
})
