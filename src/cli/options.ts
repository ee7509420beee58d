import type { Settings } from '../../config/settings.ts'
import type { LaneName } from '../batches/hold-lane.ts'
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
import { isKind, type Kind, kinds } from '../domain/kind.ts'
import { isLanguage, type Language, languages } from '../domain/languages.ts'
import type { Account } from '../domain/lookup.ts'
import { portfolioKinds } from '../domain/portfolio.ts'
import type { ColumnNames, ReadOptions } from '../files/columns/read-options.ts'
import { columnRoles, isColumnRole } from '../files/columns/roles.ts'
import { accounts as sandboxAccounts } from '../sandbox/tokens.ts'
import type { Limit } from '../views/limits.ts'
import { UsageError } from './command.ts'

/** How a file is to be taken; the same words for `run`, `submit` and `plan`. */
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
  documentType?: DocumentType
}

export const kindOption = kindOptionOf(kinds)

export const portfolioKindOption = kindOptionOf(portfolioKinds)

export const organizationOption = {
  flags: '--organization <id>',
  about: 'on whose behalf; the first one of the settings unless told',
  parse: integerOption('--organization', 0),
}

export const encodingOption = {
  flags: '--encoding <encoding>',
  about: 'of the report: utf8, or same as the input (default: utf8)',
  parse: readEncoding,
}

export const formatOption = {
  flags: '--format <format>',
  about: 'csv, or xlsx for a workbook beside it (default: as the file came in)',
  parse: readFormat,
}

export const languageOption = {
  flags: '--language <language>',
  about: `of the words in reports: ${Object.keys(languages).join(', ')} (default: that of the settings)`,
  parse: readLanguage,
}

export const maxSpendOption = {
  flags: '--max-spend <n>',
  about: 'no more paid calls than this; the rest ends as over_budget',
  parse: integerOption('--max-spend', 0, 2_000_000_000),
}

export const outOption = { flags: '--out <dir>', about: 'where the files go (default: the outbox)' }

export const spreadsheetsOption = {
  flags: '--with-spreadsheets',
  about: "also fetch the registry's own spreadsheet of each analysis",
}

/** How a file is to be read, where it does not tell by itself. */
export const readOptions = [
  {
    flags: '--column <role=header>',
    about: `which column is what: ${columnRoles.join(', ')}; may be said of several`,
    parse: readColumn,
  },
  { flags: '--sheet <name>', about: 'of a workbook (default: the first sheet with documents)' },
  {
    flags: '--header-line <n>',
    about: 'the line of the header, where titles stand above it',
    parse: integerOption('--header-line', 1),
  },
  {
    flags: '--document-type <type>',
    about: 'CPF or CNPJ: settles documents that could be either',
    parse: readDocumentType,
  },
]

export const choiceOf = ({ column, sheet, headerLine, documentType }: FileOptions): ReadOptions => ({
  ...(column && { columns: column }),
  sheet,
  headerLine,
  documentType,
})

export const onlyAnalyses = '--with-spreadsheets goes with --kind analysis: the registry has none of the others'

/** Reads the number of a batch. */
export const readBatchId = (text: string): bigint => {
  if (/^\d{1,18}$/.test(text)) return BigInt(text)
  throw new UsageError(`a batch is named by its number, not "${text}"; \`vigia batches\` lists them`)
}

function kindOptionOf(taken: readonly Kind[]) {
  const parse = (text: string): Kind => {
    const kind = taken.find((each) => each === text)
    if (kind) return kind
    throw new UsageError(`--kind takes one of ${taken.join(', ')}, not "${text}"`)
  }
  return { flags: '--kind <kind>', about: `what to ask: ${taken.join(', ')}`, parse, default: 'analysis' }
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
  if (isColumnRole(role) && header.trim() !== '') return { ...(before as ColumnNames), [role]: header }
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

/** The option that says how many are shown. */
export const limitOption = ({ usual, most }: Limit, about = 'how many', flags = '--limit <n>') => ({
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

/** Reads `7001/analysis`: an organization of the settings and a kind. */
export const readLane = (text: string, settings: Settings): LaneName => {
  const [, organization, kind = ''] = /^(\d+)\/(\w+)$/.exec(text) ?? []
  const known = organizationsOf(settings).some(({ organizationId }) => organizationId === Number(organization))
  if (organization && known && isKind(kind)) return { organizationId: Number(organization), kind }
  const example = `${organizationsOf(settings)[0]?.organizationId ?? 1}/analysis`
  throw new UsageError(`a lane is an organization of the settings and a kind, such as ${example}, not "${text}"`)
}

/** The organizations of the settings, or the sandbox's own; nothing is started to know them. */
const organizationsOf = ({ registry, organizations }: Settings): readonly Account[] =>
  registry || organizations.length > 0 ? organizations : sandboxAccounts

/** The organization that was asked for, or the first one. */
export const chooseOrganization = (settings: Settings, wanted: number | undefined): Account => {
  const known = organizationsOf(settings)
  const chosen = wanted === undefined ? known[0] : known.find(({ organizationId }) => organizationId === wanted)
  if (chosen) return chosen
  const listed = known.map(({ organizationId }) => organizationId).join(', ') || 'none'
  throw new UsageError(`--organization ${wanted ?? ''} is not in the settings; known: ${listed}`)
}

/** Whoever runs a command on the database's own machine is its administrator; a screen still shows no more than asked. */
export const unmaskedOption = { flags: '--unmasked', about: 'show documents whole' }
