import type { ReportFormat } from '../domain/batch.ts'
import type { Batch } from '../store/batches/batches.ts'
import { layoutOf } from './layout.ts'

/** The format of a batch's report: the one that was asked for, else that of its file. */
export const formatOf = (batch: Batch): ReportFormat => batch.format ?? (cameAsWorkbook(batch) ? 'xlsx' : 'csv')

/** The workbook that a batch came in as, and the sheet that was read; null if it came as text. */
export const cameAsWorkbook = (batch: Batch): { fileId: bigint; sheet: string } | null => {
  const { sheet } = layoutOf(batch) ?? {}
  return batch.workbookId && sheet !== undefined ? { fileId: batch.workbookId, sheet } : null
}
