import { inEnglish, type Message } from '../messages/message.ts'

type FileProblemCode =
  | 'empty'
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
  | 'old_excel'
  | 'password'
  | 'binary_workbook'
  | 'open_document'
  | 'not_workbook'
  | 'encrypted_part'
  | 'overlapping_parts'
  | 'forbidden_xml'
  | 'too_large'
  | 'damaged'
  | 'no_sheet'
  | 'unknown_sheet'
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
