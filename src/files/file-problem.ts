import type { WorkbookAmount } from '../messages/en/messages.ts'
import { inEnglish, type Message, type MessageCode } from '../messages/message.ts'

type FileProblemCode =
  | WorkbookProblemCode
  | 'not_text'
  | 'undecodable'
  | 'nul'
  | 'unknown_separator'
  | 'record_too_long'
  | 'no_header'
  | 'no_header_line'
  | 'no_document_column'
  | 'no_process_column'
  | 'several_document_columns'
  | 'unknown_header'
  | 'duplicate_headers'
  | 'too_many_columns'
  | 'parse_limit'
  | 'quarantined'
  | 'no_purpose'

/** Why a file cannot be accepted. The message names the line where there is one, and says what to do. */
export class FileProblem extends Error {
  readonly code: FileProblemCode
  readonly line: number | undefined
  readonly reason: Message

  constructor(code: FileProblemCode, what: Message, line?: number) {
    const placed: Message = line === undefined ? what : ['at_line', line, what]
    super(inEnglish(placed))
    this.reason = placed
    this.name = 'FileProblem'
    this.code = code
    this.line = line
  }

  /** Whether naming a column, line or sheet solves it; the file itself is sound. */
  get asksForChoice(): boolean {
    return choosable.includes(this.code)
  }
}

const choosable: FileProblemCode[] = [
  'no_header',
  'no_header_line',
  'no_document_column',
  'no_process_column',
  'several_document_columns',
  'unknown_header',
  'unknown_sheet',
]

/** Each message about a workbook, and the public code that people script against. */
const codes = {
  workbook_empty: 'empty',
  old_excel: 'old_excel',
  workbook_password: 'password',
  binary_workbook: 'binary_workbook',
  open_document: 'open_document',
  not_workbook: 'not_workbook',
  encrypted_part: 'encrypted_part',
  overlapping_parts: 'overlapping_parts',
  forbidden_xml: 'forbidden_xml',
  workbook_large: 'too_large',
  workbook_damaged: 'damaged',
  no_sheet: 'no_sheet',
  unknown_sheet: 'unknown_sheet',
} as const satisfies Partial<Record<MessageCode, string>>

export type WorkbookProblemCode = (typeof codes)[keyof typeof codes]

/** Why a workbook cannot be opened, or not read to its end. The message says what to do. */
export class WorkbookProblem extends FileProblem {
  constructor(what: Extract<Message, [keyof typeof codes, ...unknown[]]>) {
    super(codes[what[0]], what)
    this.name = 'WorkbookProblem'
  }
}

/** A part that contradicts the format or itself. */
export const damagedPart = (part: string | Message, fault: Message): WorkbookProblem =>
  new WorkbookProblem(['workbook_damaged', part, fault])

/** A part that is larger than a limit of the reader. */
export const oversizedPart = (part: string | Message, limit: number, what: WorkbookAmount): WorkbookProblem =>
  new WorkbookProblem(['workbook_large', part, limit, what])
