import type { ReportFormat } from '../domain/batch.ts'
import type { Batch } from '../store/batches/batches.ts'
import { layoutOf } from './layout.ts'

/** What the report of a batch is: what was asked for with it, else what its file was. */
export const formatOf = (batch: Batch): ReportFormat => batch.format ?? (cameAsWorkbook(batch) ? 'xlsx' : 'csv')

/** The workbook that a batch came in as, and the sheet of it that was read; null where it came as text. */
export const cameAsWorkbook = (batch: Batch): { fileId: bigint; sheet: string } | null => {
  const { sheet } = layoutOf(batch) ?? {}
  return batch.workbookId && sheet !== undefined ? { fileId: batch.workbookId, sheet } : null
}
