import type { Settings } from '../../config/settings.ts'
import { type ReportEncoding, type ReportFormat, reportEncodings, reportFormats } from '../domain/batch.ts'
import type { DocumentType } from '../domain/document.ts'
import { type Kind, kinds } from '../domain/kind.ts'
import type { Account } from '../domain/lookup.ts'
import { portfolioKinds } from '../domain/portfolio.ts'
import { legalBases } from '../domain/purpose.ts'
import { addColumn, type ColumnNames, type ReadOptions } from '../files/columns/read-options.ts'
import { columnRoles, isColumnRole } from '../files/columns/roles.ts'
import { type Language, languages } from '../messages/languages.ts'
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

export const kindOption = { ...choice('--kind', `what to look up: ${kinds.join(', ')}`, kinds), default: 'analysis' }

export const portfolioKindOption = {
  ...choice('--kind', `what to look up: ${portfolioKinds.join(', ')}`, portfolioKinds),
  default: 'analysis',
}

export const organizationOption = integerOption(
  '--organization <id>',
  'act for this organization (default: the first of the settings)',
  0,
)

/** `pt` and `pt-br` mean the same as `pt-BR`. */
export const languageOption = choice(
  '--language',
  `language of the reports: ${Object.keys(languages).join(', ')} (default: that of the settings)`,
  Object.keys(languages) as Language[],
  (language) => language.split('-').slice(0, 1),
)

/** How the report is written. */
export const reportOptions = [
  choice('--encoding', 'encoding of the report: utf8, or same as the input (default: utf8)', reportEncodings),
  choice('--format', 'csv, or xlsx to add a workbook (default: that of the input)', reportFormats),
  languageOption,
]

export const yesOption = { flags: '--yes', about: 'approve the cost, above budget.confirmAbove too' }

export const maxSpendOption = integerOption(
  '--max-spend <n>',
  'limit of paid calls; the rest ends as over_budget',
  0,
  2_000_000_000,
)

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
  integerOption('--header-line <n>', 'line of the header, if titles are above it', 1),
  {
    flags: '--no-header',
    about: 'the file has no header: its first line is a row, and --column takes numbers (documento=2)',
  },
  {
    ...choice('--document-type', 'CPF or CNPJ, for documents that could be either', ['CPF', 'CNPJ'] as const),
    flags: '--document-type <type>',
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

export const refuseSpreadsheets = ({ withSpreadsheets, kind }: FileOptions): void => {
  if (!withSpreadsheets || kind === 'analysis') return
  throw new UsageError('--with-spreadsheets needs --kind analysis: the registry has no spreadsheets of other kinds')
}

/** Reads the number of a batch. */
export const readBatchId = (text: string): bigint => {
  if (/^\d{1,18}$/.test(text)) return BigInt(text)
  throw new UsageError(`expected the number of a batch, got "${text}"; \`vigia batches\` lists them`)
}

/** An option that takes one of these values, in any case; `others` are further names of a value. */
function choice<Value extends string>(
  flag: string,
  about: string,
  values: readonly Value[],
  others: (value: Value) => string[] = () => [],
) {
  const parse = (text: string): Value => {
    const plain = text.toLowerCase()
    const chosen = values.find((value) => [value.toLowerCase(), ...others(value)].includes(plain))
    if (chosen) return chosen
    const wanted = values.length > 2 ? `one of ${values.join(', ')}` : values.join(' or ')
    throw new UsageError(`${flag} takes ${wanted}, not "${text}"`)
  }
  return { flags: `${flag} <${flag.slice(2)}>`, about, parse }
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

/** An option that takes a whole number within bounds, such as `--line <n>`. */
export function integerOption(flags: string, about: string, low: number, high = Number.MAX_SAFE_INTEGER) {
  const parse = (text: string): number => {
    const number = Number(text)
    if (/^\d+$/.test(text) && number >= low && number <= high) return number
    const range = high === Number.MAX_SAFE_INTEGER ? `${low} or more` : `from ${low} to ${high}`
    throw new UsageError(`${flags.split(' ')[0]} takes a whole number, ${range}, not "${text}"`)
  }
  return { flags, about, parse }
}

/** The option for how many are shown. */
export const limitOption = ({ usual, most }: Limit, about: string) => ({
  ...integerOption('--limit <n>', about, 1, most),
  default: usual,
})

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
