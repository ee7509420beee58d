import type { Settings } from '../../config/settings.ts'
import {
  isReportEncoding,
  isReportFormat,
  type ReportEncoding,
  type ReportFormat,
  reportEncodings,
  reportFormats,
} from '../domain/batch.ts'
import type { DocumentType } from '../domain/document.ts'
import { parseDuration } from '../domain/duration.ts'
import { type Kind, kinds } from '../domain/kind.ts'
import type { Account } from '../domain/lookup.ts'
import { portfolioKinds } from '../domain/portfolio.ts'
import { legalBases } from '../domain/purpose.ts'
import { addColumn, type ColumnNames, type ReadOptions } from '../files/columns/read-options.ts'
import { columnRoles, isColumnRole } from '../files/columns/roles.ts'
import { isLanguage, type Language, languages } from '../messages/languages.ts'
import { inEnglish } from '../messages/message.ts'
import { accounts as sandboxAccounts } from '../sandbox/tokens.ts'
import type { Limit } from '../views/fields.ts'
import { UsageError } from './command.ts'

/** How to read and process a file; the same options for `run`, `submit` and `plan`. */
export type FileOptions = {
  kind: Kind
  organization?: number
  maxSpend?: number
  encoding?: ReportEncoding
  format?: ReportFormat
  language?: Language
  withSpreadsheets?: boolean
  yes?: boolean
  column?: ColumnNames
  sheet?: string
  headerLine?: number
  /** False: the file has no header (`--no-header`). */
  header?: boolean
  documentType?: DocumentType
  purpose?: string
  /** Read instead of a file. */
  content?: Buffer
}

export const kindOption = kindOptionOf(kinds)

export const portfolioKindOption = kindOptionOf(portfolioKinds)

export const organizationOption = {
  flags: '--organization <id>',
  about: 'act for this organization (default: the first of the settings)',
  parse: integerOption('--organization', 0),
}

export const encodingOption = {
  flags: '--encoding <encoding>',
  about: 'encoding of the report: utf8, or same as the input (default: utf8)',
  parse: readEncoding,
}

export const formatOption = {
  flags: '--format <format>',
  about: 'csv, or xlsx to add a workbook (default: that of the input)',
  parse: readFormat,
}

export const languageOption = {
  flags: '--language <language>',
  about: `language of the reports: ${Object.keys(languages).join(', ')} (default: that of the settings)`,
  parse: readLanguage,
}

export const maxSpendOption = {
  flags: '--max-spend <n>',
  about: 'limit of paid calls; the rest ends as over_budget',
  parse: integerOption('--max-spend', 0, 2_000_000_000),
}

export const outOption = { flags: '--out <dir>', about: 'folder for the files (default: the outbox)' }

export const spreadsheetsOption = {
  flags: '--with-spreadsheets',
  about: "also fetch the registry's own spreadsheet of each analysis",
}

export const purposeOption = {
  flags: '--purpose <purpose>',
  about: `why: a legal basis (${legalBases.join(', ')}), a text, or "basis: text" (default: purpose.default)`,
}

/** How to read a file, where that cannot be detected. */
export const readOptions = [
  {
    flags: '--column <role=header>',
    about: `the column of a role: ${columnRoles.join(', ')}; several of documento: each row is asked about each; a column without a name by its number`,
    parse: readColumn,
  },
  {
    flags: '--sheet <name>',
    about: 'sheet of a workbook, or `all` for every one with documents (default: the first with documents)',
  },
  {
    flags: '--header-line <n>',
    about: 'line of the header, if titles are above it',
    parse: integerOption('--header-line', 1),
  },
  {
    flags: '--no-header',
    about: 'the file has no header: its first line is a row, and --column takes numbers (documento=2)',
  },
  {
    flags: '--document-type <type>',
    about: 'CPF or CNPJ, for documents that could be either',
    parse: readDocumentType,
  },
]

export const choiceOf = ({ column, sheet, headerLine, header, documentType }: FileOptions): ReadOptions => {
  if (header === false && headerLine !== undefined)
    throw new UsageError('--no-header and --header-line contradict each other: give one of them')
  return {
    ...(column && { columns: column }),
    sheet,
    headerLine: header === false ? 0 : headerLine,
    documentType,
  }
}

export const onlyAnalyses = '--with-spreadsheets needs --kind analysis: the registry has no spreadsheets of other kinds'

/** Reads the number of a batch. */
export const readBatchId = (text: string): bigint => {
  if (/^\d{1,18}$/.test(text)) return BigInt(text)
  throw new UsageError(`expected the number of a batch, got "${text}"; \`vigia batches\` lists them`)
}

function kindOptionOf(taken: readonly Kind[]) {
  const parse = (text: string): Kind => {
    const kind = taken.find((each) => each === text)
    if (kind) return kind
    throw new UsageError(`--kind takes one of ${taken.join(', ')}, not "${text}"`)
  }
  return { flags: '--kind <kind>', about: `what to look up: ${taken.join(', ')}`, parse, default: 'analysis' }
}

function readEncoding(text: string): ReportEncoding {
  if (isReportEncoding(text)) return text
  throw new UsageError(`--encoding takes ${reportEncodings.join(' or ')}, not "${text}"`)
}

function readFormat(text: string): ReportFormat {
  if (isReportFormat(text)) return text
  throw new UsageError(`--format takes ${reportFormats.join(' or ')}, not "${text}"`)
}

/** `pt` and `pt-br` mean the same as `pt-BR`. */
function readLanguage(text: string): Language {
  const plain = text.toLowerCase()
  const found = Object.keys(languages).find((name) =>
    [name, name.split('-')[0]].some((each) => each?.toLowerCase() === plain),
  )
  if (isLanguage(found)) return found
  throw new UsageError(`--language takes ${Object.keys(languages).join(' or ')}, not "${text}"`)
}

function readColumn(text: string, before: unknown): ColumnNames {
  const [, role = '', header = ''] = /^\s*(\w+)\s*=\s*(.*)$/s.exec(text) ?? []
  if (isColumnRole(role) && header.trim() !== '') {
    const added = addColumn((before ?? {}) as ColumnNames, role, header)
    if ('problem' in added) throw new UsageError(inEnglish(added.problem))
    return added
  }
  throw new UsageError(
    `--column takes a role and a header, such as documento="Doc. Cliente"; roles: ${columnRoles.join(', ')}`,
  )
}

function readDocumentType(text: string): DocumentType {
  const type = text.toUpperCase()
  if (type === 'CPF' || type === 'CNPJ') return type
  throw new UsageError(`--document-type takes CPF or CNPJ, not "${text}"`)
}

/** Reads the value of an option as a whole number within bounds. */
export function integerOption(option: string, low: number, high = Number.MAX_SAFE_INTEGER) {
  return (text: string): number => {
    const number = Number(text)
    if (/^\d+$/.test(text) && number >= low && number <= high) return number
    const range = high === Number.MAX_SAFE_INTEGER ? `${low} or more` : `from ${low} to ${high}`
    throw new UsageError(`${option} takes a whole number, ${range}, not "${text}"`)
  }
}

/** The option for how many are shown. */
export const limitOption = ({ usual, most }: Limit, about = 'how many to show', flags = '--limit <n>') => ({
  flags,
  about,
  parse: integerOption(flags.split(' ')[0]!, 1, most),
  default: usual,
})

/** Reads the value of an option as a length of time, in milliseconds. */
export const timeSpan =
  (option: string) =>
  (text: string): number => {
    if (/^\d{1,8}(ms|s|m|h|d)$/.test(text)) return parseDuration(text)
    throw new UsageError(`${option} takes a duration such as 24h or 7d, not "${text}"`)
  }

/** The organizations of the settings, or those of the sandbox, which need not run for that. */
export const organizationsOf = ({ registry, organizations }: Settings): readonly Account[] =>
  registry || organizations.length > 0 ? organizations : sandboxAccounts

/** The requested organization, or the first one. */
export const chooseOrganization = (settings: Settings, wanted: number | undefined): Account => {
  const known = organizationsOf(settings)
  const chosen = wanted === undefined ? known[0] : known.find(({ organizationId }) => organizationId === wanted)
  if (chosen) return chosen
  const listed = known.map(({ organizationId }) => organizationId).join(', ') || 'none'
  throw new UsageError(`--organization ${wanted ?? ''} is not in the settings; known: ${listed}`)
}

/** Whoever runs a command has access to the database, like an administrator. Documents are masked all the same. */
export const unmaskedOption = { flags: '--unmasked', about: 'show documents in full' }
