import type { WorkbookAmount } from '../../messages/en/messages.ts'
import type { Message, MessageCode } from '../../messages/message.ts'
import { FileProblem } from '../file-problem.ts'

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
} as const satisfies Partial<Record<MessageCode, FileProblem['code']>>

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
