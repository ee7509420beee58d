import type { Said } from '../../domain/said/said.ts'
import { FileProblem } from '../file-problem.ts'

type Details = Record<string, string | number>

/** What is said about each. */
const sayings = {
  empty: () => ['workbook_empty'],
  old_excel: () => ['old_excel'],
  password: () => ['workbook_password'],
  binary_workbook: () => ['binary_workbook'],
  open_document: () => ['open_document'],
  not_workbook: ({ looksLike }) => ['not_workbook', String(looksLike)],
  encrypted_part: ({ part }) => ['encrypted_part', String(part)],
  overlapping_parts: ({ part }) => ['overlapping_parts', String(part)],
  forbidden_xml: ({ part }) => ['forbidden_xml', String(part)],
  too_large: ({ part, limit, what }) => ['workbook_large', String(part), Number(limit), String(what)],
  damaged: ({ part, detail }) => ['workbook_damaged', String(part), String(detail)],
  no_sheet: () => ['no_sheet'],
  unknown_sheet: ({ sheet, sheets }) => ['unknown_sheet', String(sheet), String(sheets)],
} as const satisfies Record<string, (details: Details) => Said>

export type WorkbookProblemCode = keyof typeof sayings

/** Why a workbook cannot be taken, or not read to its end. The message says what to do. */
export class WorkbookProblem extends FileProblem {
  readonly details: Details

  constructor(code: WorkbookProblemCode, details: Details = {}) {
    super(code, sayings[code](details))
    this.name = 'WorkbookProblem'
    this.details = details
  }
}
