import { z } from 'zod'
import type { Settings } from '../../config/settings.ts'
import type { Account } from '../domain/lookup.ts'
import { choiceIn, fileOperations } from '../operations/files.ts'
import { innerOf } from '../operations/operation.ts'
import { lookupOperations } from '../operations/person.ts'
import { accounts as sandboxAccounts } from '../sandbox/tokens.ts'
import type { Limit } from '../views/fields.ts'
import { UsageError } from './command.ts'

/** `--max-spend` */
export const flagNamed = (field: string): string =>
  `--${field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`

/** The flag of a field: `--max-spend <n>`. A number and a choice are read at once, before anything is opened. */
export const flagOf = (name: string, field: z.ZodType | undefined, about = field?.description ?? '') => {
  const flag = flagNamed(name)
  const value = (field?.def as { defaultValue?: unknown } | undefined)?.defaultValue || undefined
  const inner = innerOf(field)
  if (inner instanceof z.ZodBoolean) return { flags: flag, about, default: value }
  const flags = `${flag} <${inner instanceof z.ZodNumber ? 'n' : flag.split('-').at(-1)}>`
  return { flags, about, default: value, parse: parserOf(flag, inner) }
}

const parserOf = (flag: string, inner: z.core.$ZodType | undefined) => {
  if (inner instanceof z.ZodNumber) return integerIn(flag, inner.minValue ?? 0, inner.maxValue ?? undefined)
  if (inner instanceof z.ZodEnum) return choice(flag, inner.options as string[])
  if (!(inner instanceof z.ZodArray)) return undefined
  return (text: string, before: unknown) => [before, text].filter(Boolean).join(',')
}

type SubmitInput = z.output<typeof fileOperations.submit.input>

/** How to read and process a file; the same options for `run`, `submit` and `plan`. */
export type FileOptions = Pick<SubmitInput, 'kind'> &
  Partial<Omit<SubmitInput, 'kind' | 'file' | 'legalBasis'>> & {
    withSpreadsheets?: boolean
    yes?: boolean
    /** False: the file has no header (`--no-header`). */
    header?: boolean
    /** Read instead of a file. */
    content?: Buffer
  }

const { shape } = fileOperations.submit.input

export const kindOption = flagOf('kind', shape.kind)

export const portfolioKindOption = flagOf('kind', lookupOperations.lookUp.input.shape.kind)

export const organizationOption = flagOf('organization', shape.organization)

export const languageOption = flagOf('language', shape.language)

/** How the report is written. */
export const reportOptions = [
  { ...flagOf('encoding', shape.encoding), default: undefined },
  flagOf('format', shape.format),
  languageOption,
]

export const yesOption = { flags: '--yes', about: 'approve the cost, above budget.confirmAbove too' }

export const maxSpendOption = flagOf('maxSpend', shape.maxSpend)

export const outOption = { flags: '--out <dir>', about: 'folder for the files (default: the outbox)' }

export const spreadsheetsOption = {
  flags: '--with-spreadsheets',
  about: "also fetch the registry's own spreadsheet of each analysis",
}

export const purposeOption = flagOf('purpose', shape.purpose, `${shape.purpose.description} (default: purpose.default)`)

/** How to read a file, where that cannot be detected. */
export const readOptions = [
  {
    flags: '--column <role=header>',
    about: shape.column.description ?? '',
    // Not joined by commas: a header may contain one.
    parse: (text: string, before: unknown) => {
      const column = [...((before as string[] | undefined) ?? []), text]
      choiceIn({ column })
      return column
    },
  },
  flagOf('sheet', shape.sheet),
  flagOf('headerLine', shape.headerLine),
  {
    flags: '--no-header',
    about: 'the file has no header: its first line is a row, and --column takes numbers (documento=2)',
  },
  flagOf('documentType', shape.documentType),
]

/** How to read a file, as an operation takes it. */
export const readOptionsOf = ({ column, sheet, headerLine, header, documentType }: Partial<FileOptions>) => {
  if (header === false && headerLine !== undefined)
    throw new UsageError('--no-header and --header-line contradict each other: give one of them')
  return { column, sheet, headerLine: header === false ? 0 : headerLine, documentType }
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

/** One of these values, in any case; `pt` and `pt-br` mean the same as `pt-BR`. */
function choice(flag: string, values: readonly string[]) {
  return (text: string) => {
    const plain = text.toLowerCase()
    const chosen = values.find((value) => [plain, `${plain}-br`].includes(value.toLowerCase()))
    if (chosen) return chosen
    const wanted = values.length > 2 ? `one of ${values.join(', ')}` : values.join(' or ')
    throw new UsageError(`${flag} takes ${wanted}, not "${text}"`)
  }
}

function integerIn(flag: string, low: number, high = Number.MAX_SAFE_INTEGER) {
  return (text: string) => {
    const number = Number(text)
    if (/^\d+$/.test(text) && number >= low && number <= high) return number
    const range = high === Number.MAX_SAFE_INTEGER ? `${low} or more` : `from ${low} to ${high}`
    throw new UsageError(`${flag} takes a whole number, ${range}, not "${text}"`)
  }
}

/** An option that takes a whole number within bounds, such as `--line <n>`. */
export const integerOption = (flags: string, about: string, low: number, high?: number) => ({
  flags,
  about,
  parse: integerIn(flags.split(' ')[0]!, low, high),
})

/** The option for how many are shown. */
export const limitOption = ({ usual, most }: Limit, about: string) => ({
  ...integerOption('--limit <n>', about, 1, most),
  default: usual,
})

/** The organizations of the settings, or those of the sandbox, which need not run for that. */
export const organizationsOf = ({ registry, organizations }: Settings): readonly Account[] =>
  registry || organizations.length > 0 ? organizations : sandboxAccounts

/** Whoever runs a command has access to the database, like an administrator. Documents are masked all the same. */
export const unmaskedOption = { flags: '--unmasked', about: 'show documents in full' }
