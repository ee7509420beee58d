import type { Settings } from '../../config/settings.ts'
import { type Quote, quoteFile } from '../batches/quote.ts'
import { spendingKinds } from '../domain/kind.ts'
import { countLiveWorkers } from '../store/batch-progress.ts'
import type { FileOptions } from './batch-options.ts'
import { aboutFile, openLocalFile } from './local-file.ts'
import type { Opened } from './open.ts'
import { chooseOrganization } from './organization.ts'
import { duration, facts, number, outcomes } from './wording.ts'

export type FileQuote = Quote & { file: string; kind: string; organization: number; bound: number; needsWord: boolean }

/** Quotes a file of this machine; `joining` is how many workers the caller itself will add. */
export async function quoteLocalFile(
  { sql, settings }: Opened,
  file: string,
  options: FileOptions,
  { joining, signal }: { joining: number; signal: AbortSignal },
): Promise<FileQuote> {
  const { organizationId } = chooseOrganization(settings, options.organization)
  const { worker, fleet } = settings.concurrency
  const bound = Math.min(fleet, worker * Math.max(1, (await countLiveWorkers(sql)) + joining))
  const { kind } = options
  const open = () => openLocalFile(file, signal)
  const freshSince = freshSinceOf(settings, options)
  const quote = await aboutFile(file, () => quoteFile(sql, { open, organizationId, kind, freshSince, bound }))
  return { file, kind, organization: organizationId, ...quote, bound, needsWord: needsWord(quote, settings, options) }
}

export const freshSinceOf = ({ forKind }: Settings, { kind }: Pick<FileOptions, 'kind'>, now = Date.now()): Date =>
  new Date(now - forKind[kind].freshness)

/** The least of what the settings and the caller allow. */
export function spendLimit({ budget }: Settings, { maxSpend }: Pick<FileOptions, 'maxSpend'>): number | null {
  const limits = [budget.perBatch, maxSpend ?? null].filter((limit) => limit !== null)
  return limits.length > 0 ? Math.min(...limits) : null
}

/** A limit below `confirmAbove` says as much as a word does. */
function needsWord({ toBePaid, repeats }: Quote, settings: Settings, options: FileOptions): boolean {
  const { confirmAbove } = settings.budget
  if (confirmAbove === null || repeats) return false
  return Math.min(toBePaid, spendLimit(settings, options) ?? toBePaid) > confirmAbove
}

export function renderQuote(quote: FileQuote): string {
  const { file, kind, organization, rows, rejected, rejects, documents, fresh, shared, bought, parked } = quote
  const spends = (spendingKinds as readonly string[]).includes(kind)
  const none = (value: number): string | null => (value > 0 ? number(value) : null)
  return facts([
    ['File', `${file} (${kind}, organization ${organization})`],
    ['Rows', number(rows)],
    ['Rejected', rejected > 0 ? `${number(rejected)} (${outcomes(rejects)})` : null],
    ['Documents', number(documents)],
    ['Fresh, free', none(fresh)],
    ['Shared with open look-ups', none(shared)],
    ['Bought, only waiting', none(bought)],
    ['Parked, `vigia resolve` first', none(parked)],
    [spends ? 'To be paid' : 'To be asked, free', number(quote.toBeAsked)],
    ['Expected time', `${duration(quote.expectedSeconds)} with ${number(quote.bound)} open requests`],
    ['Note', noteOf(quote)],
  ])
}

function noteOf({ repeats, needsWord }: FileQuote): string | null {
  if (repeats) return `the same bytes are batch ${repeats.batch} (${repeats.state}): nothing is bought again`
  return needsWord ? 'above budget.confirmAbove: it needs --yes, or `vigia confirm` after `vigia submit`' : null
}
