import type { ReportFormat } from '../domain/batch.ts'
import type { JoinedSheets } from '../files/join-sheets.ts'
import type { Batch } from '../store/batches/batches.ts'
import { layoutOf } from './layout.ts'

/** The format of a batch's report: the one that was asked for, else that of its file. */
export const formatOf = (batch: Batch): ReportFormat => batch.format ?? (cameAsWorkbook(batch) ? 'xlsx' : 'csv')

/** The workbook that a batch came in as, and the sheet or joined sheets that were read; null if it came as text. */
export const cameAsWorkbook = (batch: Batch): Original | null => {
  const { sheet, joined } = layoutOf(batch) ?? {}
  return batch.workbookId && sheet !== undefined ? { fileId: batch.workbookId, sheet, joined } : null
}

export type Original = { fileId: bigint; sheet: string; joined: JoinedSheets | undefined }
