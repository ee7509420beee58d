import { openRequests, type Quote, quoteFile } from '../../batches/quote.ts'
import { batchLimit, type Price, priceOf, withinLimit } from '../../domain/amount.ts'
import { freshSinceOf } from '../../domain/duration.ts'
import { type Kind, spendingKinds } from '../../domain/kind.ts'
import type { Account } from '../../domain/lookup.ts'
import { maskDocuments } from '../../domain/mask-documents.ts'
import { readPurpose } from '../../domain/purpose.ts'
import { headersOf } from '../../files/columns/read-options.ts'
import { choiceIn, servedAccount } from '../../operations/files.ts'
import { refreshLedger } from '../../purchases/check-purchases.ts'
import { countLiveWorkers } from '../../store/fleet/workers.ts'
import { latestListSnapshot } from '../../store/purchases/list-snapshots.ts'
import { costing, counted, duration, number, outcomes, priced, renderFacts } from '../lines/texts.ts'
import { type OpenInstallation, withRegistry } from '../open.ts'
import { type FileOptions, organizationsOf, readOptionsOf } from '../options.ts'
import { aboutFile, openLocalFile } from './local-file.ts'

export type FileQuote = Quote & {
  file: string
  /** How complete our copy of the registry's purchase list is. */
  books: LedgerState | null
  kind: string
  organization: number
  bound: number
  /** The most it may spend, by the settings and the caller. */
  limit: number | null
  /** Its cost in money, if a price is known. */
  price: Price | null
  /** It costs more than `budget.confirmAbove`: a limit is not approval enough. */
  needsWord: boolean
}

/** The figures that an approval is compared with. */
export type QuotedCost = Pick<FileQuote, 'toBePaid' | 'limit' | 'freed'> & {
  repeats: Pick<NonNullable<FileQuote['repeats']>, 'unconfirmed' | 'spent'> | null
}

/** Its cost: what is to be paid, up to its limit. */
export const affordable = ({ toBePaid, limit }: Pick<FileQuote, 'toBePaid' | 'limit'>): number =>
  withinLimit(toBePaid, limit)

/** What it would spend beyond what is approved: a running batch of the same bytes is approved up to its limit. */
export const costsAnew = (quote: QuotedCost): number =>
  quote.repeats === null || quote.repeats.unconfirmed ? affordable(quote) : quote.freed

/** The same in money, if a price is known. */
export const priceAnew = (quote: FileQuote): Price | null => {
  const share = costsAnew(quote) / Math.max(1, affordable(quote))
  return quote.price && { ...quote.price, cents: Math.round(quote.price.cents * share) }
}

/**
 * Quotes a file of this machine; `joining` is the number of workers that the caller will add. A limit below
 * `confirmAbove` counts as approval.
 */
export const quoteLocalFile = async (
  opened: OpenInstallation,
  file: string,
  options: FileOptions,
  { joining, signal }: { joining: number; signal: AbortSignal },
): Promise<FileQuote> => {
  const { sql, settings } = opened
  const account = servedAccount(organizationsOf(settings), options.organization)
  const { organizationId } = account
  const bound = openRequests(settings.concurrency, (await countLiveWorkers(sql)) + joining)
  const { kind } = options
  const { freshness, polling, purchases } = settings.forKind[kind]
  const limit = batchLimit(settings.budget, options.maxSpend)
  const ledger = await readLedger(opened, account, kind, signal)
  const quote = await aboutFile(file, () =>
    quoteFile(sql, {
      open: () => openLocalFile(file, options, signal),
      organizationId,
      kind,
      freshSince: freshSinceOf({ freshness }, opened.clock()),
      bound,
      maxSpend: limit,
      setsLimit: options.maxSpend !== undefined,
      firstLookMs: polling.first,
      adopts: purchases.adopt,
      choice: choiceIn(readOptionsOf(options)),
      purpose: readPurpose(options.purpose) ?? settings.purpose.default,
      rules: { needsAuthorization: settings.scr.requireAuthorization },
    }),
  )
  const { confirmAbove, unitPrice } = settings.budget
  const units = affordable({ ...quote, limit })
  return {
    file,
    kind,
    organization: organizationId,
    ...quote,
    books: ledger,
    bound,
    limit,
    price: priceOf(unitPrice, kind, units),
    needsWord: !quote.repeats && units > (confirmAbove ?? Number.POSITIVE_INFINITY),
  }
}

export const renderQuote = (quote: FileQuote): string => {
  const { file, kind, organization, rows, rejected, rejects, notAsked } = quote
  const { documents, fresh, shared, bought, parked, repeats } = quote
  const spends = (spendingKinds as readonly string[]).includes(kind)
  const none = (value: number): string | null => (value > 0 ? number(value) : null)
  const beyond = repeats ? 0 : quote.toBePaid - affordable(quote)
  return renderFacts({
    File: `${maskDocuments(file)} (${kind}, organization ${organization})`,
    'Read as': readAs(quote.reads),
    'Not read': unreadLine(quote.reads),
    'Not asked': unaskedLine(quote.reads),
    Rows: number(rows),
    Rejected: rejected > 0 ? `${number(rejected)} (${outcomes(rejects)})` : null,
    'Documents not asked': Object.keys(notAsked).length > 0 ? outcomes(notAsked) : null,
    'Can be fixed': rescueLine(rejects),
    Documents: number(documents),
    'Fresh, free': none(fresh),
    'Shared with open look-ups': repeats ? null : none(shared),
    'Bought, still waiting': none(bought),
    'Already bought elsewhere': elsewhereOf(quote),
    'Parked, needs `vigia resolve`': none(parked),
    [spends ? 'To be paid' : 'To be asked, free']: priced(quote.toBeAsked, beyond > 0 ? null : quote.price),
    'Beyond the limit': beyond > 0 ? `${number(beyond)} of them end as over_budget` : null,
    'At most': beyond > 0 ? costing(affordable(quote), quote.price) : null,
    'Expected time': `${duration(quote.expectedSeconds)} with ${counted(quote.bound, 'open request')}`,
    Note: noteOf(quote),
  })
}

/** `windows-1252, ";" between columns, asked about: column "CPF/CNPJ", name: "Nome"`. */
const readAs = (reads: FileQuote['reads']): string => {
  const { encoding, delimiter, column, columns, headerLine, sheet, hiddenRows, remembered } = reads
  const { documento, cpf, cnpj, processo, ...others } = columns
  const documents = headersOf(documento)
  const delimiterName = delimiter === '\t' ? 'tab' : `"${delimiter}"`
  const named = (header = '') => (column === null ? header : `"${header}"`)
  const several = cnpj && cpf ? [cpf, cnpj] : documents
  const asked =
    several.length > 1 ? `columns ${several.map(named).join(' and ')}` : `column ${named(documents[0] ?? processo)}`
  return [
    sheet === null ? `${encoding}, ${delimiterName} between columns` : `sheet "${sheet}"`,
    hiddenRows > 0 ? `${counted(hiddenRows, 'hidden row')} read too` : null,
    headerLine === null ? null : headerLine === 0 ? 'no header' : `header at line ${headerLine}`,
    `asked about: ${asked}`,
    ...Object.entries(others).map(([role, header]) => `${role}: ${named(header)}`),
    remembered === null ? null : `as chosen before (\`vigia columns\`, ${remembered})`,
  ]
    .filter(Boolean)
    .join(', ')
}

const unreadLine = ({ unreadSheets }: FileQuote['reads']): string | null =>
  unreadSheets.length > 0
    ? `${unreadSheets.map((name) => `sheet "${name}"`).join(', ')}: it holds documents too; --sheet all reads every sheet`
    : null

const unaskedLine = ({ unaskedColumns: [first, ...others] }: FileQuote['reads']): string | null => {
  if (first === undefined) return null
  const columns = [first, ...others].map((name) => `column ${JSON.stringify(name)}`).join(', ')
  return `${columns}: it holds documents too; name each column to ask about, such as --column documento=${JSON.stringify(first)}`
}

/** One option settles all the documents that could be a CPF or a CNPJ. */
const rescueLine = (rejects: Record<string, number>): string | null => {
  const { ambiguous = 0 } = rejects
  return ambiguous > 0 ? `${counted(ambiguous, 'ambiguous row')}, with --document-type CPF or CNPJ` : null
}

/** The number of documents that the organization bought elsewhere, or why it is not known. */
const elsewhereOf = ({ books: ledger, elsewhere }: FileQuote): string | null => {
  const found = elsewhere > 0 ? `${number(elsewhere)}, free` : null
  if (!ledger || (ledger.complete && !ledger.problem)) return found
  const why = ledger.problem ?? 'it does not show everything'
  return `${found ?? 'not known'} (the registry’s list could not be read completely: ${why})`
}

const noteOf = ({ repeats, needsWord }: FileQuote): string | null => {
  if (repeats) return `the same bytes are batch ${repeats.batch} (${repeats.state}): nothing is bought twice`
  return needsWord ? 'above budget.confirmAbove: approve with --yes, or submit it and `vigia confirm`' : null
}

/** Our copy of the registry's purchase list: when it was read, whether it is complete, and why not. */
type LedgerState = { readAt: string | null; complete: boolean; problem: string | null }

/**
 * Reads the registry's purchase list if our copy is older than `purchases.maxAge`, so that the quote counts what was
 * bought elsewhere. It is free. A list that cannot be read is noted in the quote. Null: this kind has no list.
 */
const readLedger = async (
  opened: OpenInstallation,
  account: Account,
  kind: Kind,
  signal: AbortSignal,
): Promise<LedgerState | null> => {
  const { purchases } = opened.settings.forKind[kind]
  if (kind !== 'analysis' || !purchases.adopt) return null
  const lane = { organizationId: account.organizationId, kind }
  const stored = await latestListSnapshot(opened.sql, lane)
  const isRecent = stored !== null && stored.beganAt.getTime() > opened.clock().getTime() - purchases.maxAge
  const problem = isRecent ? null : await readNow(opened, account, kind, signal)
  const latest = await latestListSnapshot(opened.sql, lane)
  return { readAt: latest?.beganAt.toISOString() ?? null, complete: latest?.complete ?? false, problem }
}

const readNow = async (
  opened: OpenInstallation,
  account: Account,
  kind: Kind,
  signal: AbortSignal,
): Promise<string | null> => {
  const { sql, clock, settings } = opened
  const timeout = AbortSignal.any([signal, AbortSignal.timeout(ledgerTimeoutMs)])
  const outcome = await withRegistry(opened, ({ registry }) =>
    refreshLedger({ sql, registry, clock, forKind: settings.forKind }, account, kind, timeout),
  )
  return typeof outcome === 'object' ? outcome.message : null
}

/** A quote waits no longer than this for the list. */
const ledgerTimeoutMs = 20_000
