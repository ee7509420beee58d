import { isKind, type Kind, kinds } from '../domain/kind.ts'
import { wholeNumber } from './parse-option.ts'
import { UsageError } from './usage-error.ts'

/** How a file is to be taken; the same words for `run`, `submit` and `plan`. */
export type FileOptions = {
  kind: Kind
  organization?: number
  maxSpend?: number
  encoding?: 'same' | 'utf8'
  withSpreadsheets?: boolean
  yes?: boolean
}

export const kindOption = {
  flags: '--kind <kind>',
  about: `what to ask: ${kinds.join(', ')}`,
  parse: readKind,
  default: 'analysis',
}

export const organizationOption = {
  flags: '--organization <id>',
  about: 'on whose behalf; the first one of the settings unless told',
  parse: wholeNumber('--organization', 0),
}

export const encodingOption = {
  flags: '--encoding <encoding>',
  about: 'of the report: utf8, or same as the input (default: utf8)',
  parse: readEncoding,
}

export const maxSpendOption = {
  flags: '--max-spend <n>',
  about: 'no more paid calls than this; the rest ends as over_budget',
  parse: wholeNumber('--max-spend', 0),
}

export const outOption = { flags: '--out <dir>', about: 'where the three files go (default: the outbox)' }

export const spreadsheetsOption = {
  flags: '--with-spreadsheets',
  about: "also fetch the registry's own spreadsheet of each analysis",
}

export const onlyAnalyses = '--with-spreadsheets goes with --kind analysis: the registry has none of the others'

/** Reads the number of a batch. */
export function readBatchId(text: string): bigint {
  if (/^\d{1,18}$/.test(text)) return BigInt(text)
  throw new UsageError(`a batch is named by its number, not "${text}"; \`vigia batches\` lists them`)
}

function readKind(text: string): Kind {
  if (isKind(text)) return text
  throw new UsageError(`--kind takes one of ${kinds.join(', ')}, not "${text}"`)
}

function readEncoding(text: string): 'same' | 'utf8' {
  if (text === 'same' || text === 'utf8') return text
  throw new UsageError(`--encoding takes same or utf8, not "${text}"`)
}
