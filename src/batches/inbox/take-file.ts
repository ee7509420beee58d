import { rename, rm, rmdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { UnitPrices } from '../../domain/amount.ts'
import type { Kind } from '../../domain/kind.ts'
import type { Language } from '../../domain/languages.ts'
import type { Account } from '../../domain/lookup.ts'
import { FileProblem } from '../../files/csv/file-problem.ts'
import type { Home } from '../../home/folders.ts'
import type { Boss } from '../../queue/boss.ts'
import { readBatch } from '../../store/batches/batches.ts'
import type { Database } from '../../store/connect.ts'
import { exportBatch, outboxFolder } from '../export.ts'
import { reportDefaults } from '../report-snapshot.ts'
import { type Submission, submitFile } from '../submit.ts'
import type { Claim } from './claim-file.ts'
import { explainRejection, reserveName } from './rejection.ts'
import { FileUnsettled, readStill } from './stillness.ts'

type Log = Record<'info' | 'warn' | 'error', (facts: object, phrase: string) => void>

export type InboxTools = {
  home: Home
  settings: {
    timezone: string
    language: Language
    import: { settle: number }
    budget: { perBatch: number | null; confirmAbove: number | null; unitPrice: UnitPrices | null }
    forKind: Record<Kind, { freshness: number }>
  }
  sql: Database
  boss: Boss
  accounts: readonly Account[]
  clock: () => Date
  log: Log
}

/** Makes a batch of a claimed file and archives it; a bad one is archived with the reason, any other goes back. */
export const takeFile = async (tools: InboxTools, claim: Claim): Promise<void> => {
  const { sql, boss, home, log } = tools
  try {
    const { batchId, repeated } = await submitFile(sql, boss, submissionOf(tools, claim))
    if (repeated) await answerAgain(tools, batchId, claim)
    else log.info({ batch: String(batchId), file: claim.name }, 'file taken from the inbox')
    await moveTo(home.archive, claim, tools)
  } catch (error) {
    if (error instanceof FileProblem) return reject(tools, claim, error)
    await moveTo(join(home.inbox, claim.place.folder), claim, tools)
    if (!(error instanceof FileUnsettled)) throw error
    log.info({ file: claim.name }, 'file still being written')
  }
}

const submissionOf = ({ settings, clock }: InboxTools, { path, name, place }: Claim): Submission => ({
  bytes: readStill(path),
  fileName: name,
  organizationId: place.organizationId,
  kind: place.kind,
  source: 'inbox',
  by: 'inbox',
  maxSpend: settings.budget.perBatch,
  confirmAbove: settings.budget.confirmAbove,
  encoding: 'utf8',
  spreadsheets: false,
  freshSince: new Date(clock().getTime() - settings.forKind[place.kind].freshness),
})

/** The same bytes were here before: whoever dropped them finds the reports, and nothing is bought again. */
const answerAgain = async ({ sql, home, settings, clock, log }: InboxTools, batchId: bigint, { name }: Claim) => {
  const batch = await readBatch(sql, batchId)
  const facts = { batch: String(batchId), file: name }
  if (!batch?.exportedAt) return log.info(facts, 'same file again: its reports are on their way')
  const folder = outboxFolder(home, batch)
  await exportBatch(sql, batchId, {
    folder,
    timezone: settings.timezone,
    now: clock(),
    defaults: reportDefaults(settings),
  })
  log.info({ ...facts, folder }, 'same file again: answered with the reports of the first')
}

const reject = async (tools: InboxTools, claim: Claim, problem: FileProblem): Promise<void> => {
  const { name } = claim
  const explain = (target: string) => writeFile(`${target}.txt`, explainRejection(name, problem), { mode: 0o600 })
  await moveTo(join(tools.home.archive, 'rejected'), claim, tools, explain)
  tools.log.warn({ file: name, problem: problem.code, line: problem.line }, 'file rejected')
}

/** A worker on another machine may have thought us dead and taken the file over: then it is in good hands. */
const moveTo = async (
  target: string,
  { folder, path, name }: Claim,
  { clock }: InboxTools,
  before: (path: string) => Promise<void> = async () => {},
): Promise<void> => {
  const free = await reserveName(target, name, clock())
  await before(free)
  try {
    await rename(path, free)
    await rmdir(folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    await rm(free, { force: true })
  }
}
