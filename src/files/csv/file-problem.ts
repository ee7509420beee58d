import { inEnglish } from '../../domain/said/english.ts'
import type { Said } from '../../domain/said/said.ts'

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
  readonly said: Said

  constructor(code: FileProblemCode, what: string | Said, line?: number) {
    const said: Said = typeof what === 'string' ? ['text', what] : what
    const placed: Said = line === undefined ? said : ['at_line', line, said]
    super(inEnglish(placed))
    this.said = placed
    this.name = 'FileProblem'
    this.code = code
    this.line = line
  }
}
