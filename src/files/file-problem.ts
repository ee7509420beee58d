import type { WorkbookAmount } from '../messages/en/messages.ts'
import { type Message, type MessageCode, MessageError } from '../messages/message.ts'

/** Why a file cannot be accepted. The message names the line where there is one, and says what to do. */
export class FileProblem extends MessageError {
  override readonly name = 'FileProblem'

  /** The public code, which people script against. */
  get code(): string {
    return codeOf(this.reason)
  }

  get line(): number | undefined {
    return this.reason[0] === 'at_line' ? this.reason[1] : undefined
  }

  /** Whether naming a column, line or sheet solves it; the file itself is sound. */
  get asksForChoice(): boolean {
    return choosable.includes(this.code)
  }
}

const choosable = [
  'no_header',
  'no_header_line',
  'no_document_column',
  'no_process_column',
  'several_document_columns',
  'unknown_header',
  'unknown_sheet',
]

/** The code of its message, but for those below; `at_line` and `in_sheet` only say where a problem is. */
const codeOf = (reason: Message): string => {
  if (reason[0] === 'at_line' || reason[0] === 'in_sheet') return codeOf(reason[2])
  if (reason[0] === 'no_column') return reason[1] === 'processo' ? 'no_process_column' : 'no_document_column'
  return codes[reason[0]] ?? reason[0]
}

const codes: Partial<Record<MessageCode, string>> = {
  file_empty: 'empty',
  no_rows: 'empty',
  workbook_empty: 'empty',
  workbook_password: 'password',
  workbook_large: 'too_large',
  workbook_damaged: 'damaged',
  row_long: 'record_too_long',
  many_columns: 'too_many_columns',
  several_columns: 'several_document_columns',
  sheets_differ: 'several_document_columns',
  column_twice: 'several_document_columns',
  many_documents: 'several_document_columns',
  parse_slow: 'parse_limit',
  parse_large: 'parse_limit',
}

/** A part of a workbook that contradicts the format or itself. */
export const damagedPart = (part: string | Message, fault: Message): FileProblem =>
  new FileProblem(['workbook_damaged', part, fault])

/** A part that is larger than a limit of the reader. */
export const oversizedPart = (part: string | Message, limit: number, what: WorkbookAmount): FileProblem =>
  new FileProblem(['workbook_large', part, limit, what])
