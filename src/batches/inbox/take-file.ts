import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { lstat, open, rmdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Settings } from '../../../config/settings.ts'
import { freshSinceOf } from '../../domain/duration.ts'
import type { Account } from '../../domain/lookup.ts'
import { FileProblem } from '../../files/file-problem.ts'
import type { Home } from '../../home/folders.ts'
import { inEnglish, inPortuguese } from '../../messages/message.ts'
import type { Boss } from '../../queue/boss.ts'
import { readBatch } from '../../store/batches/batches.ts'
import type { Database } from '../../store/connect.ts'
import { exportBatch, outboxFolder } from '../export.ts'
import type { Submission } from '../submit.ts'
import { submitOrList } from '../uploads.ts'
import { archiveFile } from './archive-file.ts'
import type { ClaimedFile } from './claim-file.ts'

type Log = Record<'info' | 'warn' | 'error', (facts: object, phrase: string) => void>

export type InboxTools = {
  home: Home
  settings: Settings
  sql: Database
  boss: Boss
  accounts: readonly Account[]
  clock: () => Date
  log: Log
}

/** Makes a batch of a claimed file and archives it. A bad file is archived too; after other errors it returns. */
export const takeFile = async (tools: InboxTools, claim: ClaimedFile): Promise<void> => {
  try {
    await submitOrReject(tools, claim)
  } catch (error) {
    await moveTo(join(tools.home.inbox, claim.place.folder), claim, tools)
    if (!(error instanceof FileUnsettled)) throw error
    tools.log.info({ file: claim.name }, 'file still being written')
  }
}

const submitOrReject = async (tools: InboxTools, claim: ClaimedFile): Promise<void> => {
  const { sql, boss, home, log } = tools
  try {
    const { batchId, repeated } = await submitOrList(sql, boss, submissionOf(tools, claim))
    if (repeated) await answerAgain(tools, batchId, claim)
    else log.info({ batch: String(batchId), file: claim.name }, 'file taken from the inbox')
    await moveTo(home.archive, claim, tools)
  } catch (error) {
    if (!(error instanceof FileProblem)) throw error
    await reject(tools, claim, error)
  }
}

const submissionOf = ({ settings, clock }: InboxTools, { path, name, place }: ClaimedFile): Submission => ({
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
  purpose: settings.purpose.default,
  needsPurpose: settings.purpose.required,
  freshSince: freshSinceOf(settings.forKind[place.kind], clock()),
})

/**
 * The bytes of a file that nobody writes to: read once for its fingerprint, then once to yield them.
 *
 * A process that had the file open before it was claimed can still write to it. If size, time or content differ at the
 * end, this throws, and the caller must discard the bytes.
 */
async function* readStill(path: string): AsyncGenerator<Uint8Array> {
  const known = yield* fingerprint(path, false)
  const given = yield* fingerprint(path, true)
  if (known !== given) throw new FileUnsettled(path)
}

async function* fingerprint(path: string, give: boolean): AsyncGenerator<Uint8Array, string> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    const before = await file.stat()
    if (!before.isFile()) throw new FileUnsettled(path)
    const hash = createHash('sha256')
    for await (const bytes of file.createReadStream({ autoClose: false, highWaterMark: 256 * 1024 })) {
      hash.update(bytes as Buffer)
      if (give) yield bytes as Buffer
    }
    const after = await file.stat()
    if (before.size !== after.size || before.mtimeMs !== after.mtimeMs) throw new FileUnsettled(path)
    return `${after.size} ${after.mtimeMs} ${hash.digest('hex')}`
  } finally {
    await file.close()
  }
}

/** A file changed while it was read: it returns to the inbox until it no longer changes. */
class FileUnsettled extends Error {
  override readonly name = 'FileUnsettled'

  constructor(path: string) {
    super(`${basename(path)} changed while it was read`)
  }
}

/** The same bytes as in an earlier batch: its reports are written again, and nothing is bought again. */
const answerAgain = async ({ sql, home, settings, clock, log }: InboxTools, batchId: bigint, { name }: ClaimedFile) => {
  const batch = await readBatch(sql, batchId)
  const facts = { batch: String(batchId), file: name }
  if (!batch?.exportedAt) return log.info(facts, 'same file again: its reports are not written yet')
  const folder = outboxFolder(home, batch)
  await exportBatch(sql, batchId, { folder, now: clock(), settings })
  log.info({ ...facts, folder }, 'same file again: reports of the first batch written again')
}

const reject = async (tools: InboxTools, claim: ClaimedFile, problem: FileProblem): Promise<void> => {
  const { name } = claim
  await moveTo(join(tools.home.archive, 'rejected'), claim, tools, explainRejection(name, problem))
  tools.log.warn({ file: name, problem: problem.code, line: problem.line }, 'file rejected')
}

/** Moves a claimed file to its archive, with the reason beside it if there is one, and releases the claim. */
const moveTo = async (
  target: string,
  { folder, path, name }: ClaimedFile,
  { clock }: InboxTools,
  reason?: string,
): Promise<void> => {
  try {
    await archiveFile(path, { folder: target, name, now: clock(), reason })
  } catch (error) {
    if (!(await isTakenOver(path))) throw error
    return
  }
  // A folder that cannot be removed is empty; the next takeover of our claims clears it.
  await rmdir(folder).catch(() => {})
}

/** A worker on another machine may have taken the file over because it assumed that we were dead. It continues there. */
const isTakenOver = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => false,
    (error: NodeJS.ErrnoException) => error.code === 'ENOENT',
  )

/** Explains in English and Portuguese why a file was not accepted and what to do. */
const explainRejection = (name: string, { reason: message, asksForChoice }: FileProblem): string =>
  [
    `${name} was not accepted: ${inEnglish(message)}.`,
    ...(asksForChoice
      ? [`Use the option once, with \`vigia submit\`: later files with the same headers are then read the same way.`]
      : []),
    `Nothing was looked up and nothing was spent. Fix the file and drop it into the inbox again.`,
    '',
    `${name} não foi aceito: ${inPortuguese(message)}.`,
    ...(asksForChoice
      ? [`Use a opção uma vez, com \`vigia submit\`: arquivos com o mesmo cabeçalho passam a ser lidos da mesma forma.`]
      : []),
    `Nada foi consultado e nada foi gasto. Corrija o arquivo e coloque-o de novo na pasta inbox.`,
    '',
  ].join('\r\n')
