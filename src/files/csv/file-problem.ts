export type FileProblemCode =
  | 'empty'
  | 'not_text'
  | 'undecodable'
  | 'nul'
  | 'unknown_separator'
  | 'record_too_long'
  | 'no_header'
  | 'no_document_column'
  | 'no_process_column'
  | 'several_document_columns'
  | 'duplicate_headers'

/** Why a whole file cannot be taken. The message names the line where there is one, and says what to do. */
export class FileProblem extends Error {
  readonly code: FileProblemCode
  readonly line: number | undefined

  constructor(code: FileProblemCode, message: string, line?: number) {
    super(line === undefined ? message : `line ${line}: ${message}`)
    this.name = 'FileProblem'
    this.code = code
    this.line = line
  }
}
