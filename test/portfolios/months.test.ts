import { expect, test } from 'vitest'
import { addPortfolio, syncPortfolio } from '../../src/portfolios/keep-portfolio.ts'
import { takeRunFurther } from '../../src/portfolios/run-portfolio.ts'
import { ringPortfolios } from '../../src/schedule/ring-portfolios.ts'
import { listSweeps, readSweep, type Sweep } from '../../src/store/radars/sweeps.ts'
import { seededRandom } from '../chaos/random.ts'
import { cpfs, csvOf } from '../support/documents.ts'
import { type Setup, setup } from '../support/setup.ts'
import { until } from '../support/until.ts'
import { applyDifferences, type Figures, readDifferences, readReport } from './report-files.ts'

const day = 86_400_000
const months = 24

test('differences applied to a report give the report of the next month, over 24 months', async () => {
  // The clock goes on within a month: what is asked for later must come due.
  let ahead = Date.parse('2026-01-05T12:00:00Z') - Date.now()
  const clock = () => new Date(Date.now() + ahead)
  await using t = await setup({ clock })
  const random = seededRandom(24)
  let documents = cpfs(12)
  for (const document of documents) t.sandbox.plantChange(document, anyFigures(random))
  const who = { by: 'test', now: clock() }
  const account = t.sandbox.account.organizationId
  await addPortfolio(
    t.sql,
    { name: 'Clients', kind: 'analysis', everyMs: 30 * day, organizationId: account, open: opened(documents) },
    who,
  )

  let known: Figures = new Map()
  const seen = new Set<string>()
  for (let month = 0; month < months; month++) {
    const affordable = random.between(0, 3) === 0 ? documents.length - 2 : null
    const run = await runDue(t, affordable)
    const { detail } = run
    const differences = await readDifferences(String(detail.file))
    const report = await readReport(t.home, detail.batch as number)

    expect(run).toMatchObject({ state: 'done', due: documents.length })
    expect(
      differences
        .filter(({ verdict }) => verdict === 'unchecked')
        .map(({ document }) => document)
        .sort(),
    ).toEqual(report.unchecked)
    if (month === 0) known = report.known
    else known = applyDifferences(known, differences)
    for (const [document, figures] of report.known)
      expect([document, figuresIn(known, document)]).toEqual([document, [...figures].sort()])
    expect([...known.keys()].filter((document) => !documents.includes(document))).toEqual([])
    for (const { verdict } of differences) seen.add(verdict)

    for (const document of documents) if (random.between(0, 2) > 0) t.sandbox.plantChange(document, anyFigures(random))
    if (random.between(0, 1) === 0) {
      documents = [...documents.slice(random.between(1, 2)), ...cpfs(random.between(1, 3), 100 + month * 5)]
      await syncPortfolio(t.sql, { name: 'clients', open: opened(documents) }, { ...who, now: clock() })
    }
    ahead += 30 * day
  }

  expect([...seen].sort()).toEqual(['added', 'better', 'cleared', 'new', 'removed', 'unchecked', 'worse'])
  expect(await listSweeps(t.sql, { name: 'portfolio', limit: 99 })).toHaveLength(months)
}, 240_000)

/** Several workers ring at once, and the end of the run is worked by the queue and by hand at once. */
const runDue = async (t: Setup, affordable: number | null): Promise<Sweep> => {
  const { sql, tools } = t
  const begun: bigint[] = []
  const ring = {
    sql,
    clock: tools.clock,
    log: tools.log,
    enqueue: async (_: unknown, { id }: { id: bigint }) => void begun.push(id),
  }
  await Promise.all([ringPortfolios(ring), ringPortfolios(ring), ringPortfolios(ring)])
  expect(begun).toHaveLength(1)
  const budget = { ...t.settings.budget, perBatch: affordable }
  const poor = { ...tools, settings: { ...t.settings, budget } }
  await Promise.all([takeRunFurther(poor, begun[0]!), takeRunFurther(poor, begun[0]!)])
  return until(async () => {
    await takeRunFurther(poor, begun[0]!)
    const sweep = await readSweep(sql, begun[0]!)
    return sweep?.finishedAt ? sweep : null
  })
}

const opened = (documents: string[]) =>
  async function* () {
    yield Buffer.from(csvOf(documents))
  }

const figuresIn = (known: Figures, document: string): [string, string][] => [...(known.get(document) ?? [])].sort()

const anyFigures = (random: ReturnType<typeof seededRandom>) => ({
  figures: Object.fromEntries(
    ['RISK_WORKER', 'RISK_CRIMINAL', 'RISK_PROTEST'].map((key) => {
      const count = random.between(0, 3)
      return [key, { count, cents: count * random.between(0, 90_000) }]
    }),
  ),
})
