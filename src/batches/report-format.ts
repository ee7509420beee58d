import type { ReportFormat } from '../domain/batch.ts'
import type { Batch } from '../store/batches/batches.ts'
import { type Layout, layoutOf } from './layout.ts'

/** What the report of a batch is: what was asked for with it, else what its file was. */
export const formatOf = (batch: Batch): ReportFormat => batch.format ?? (cameAsWorkbook(batch) ? 'xlsx' : 'csv')

/** The workbook that a batch came in as, and the sheet of it that was read; null where it came as text. */
export const cameAsWorkbook = (batch: Batch): { fileId: bigint; sheet: string } | null => {
  const { workbookId } = batch as Batch & { workbookId?: bigint | null }
  const { sheet } = (layoutOf(batch) ?? {}) as Layout & { sheet?: string }
  return workbookId && sheet !== undefined ? { fileId: workbookId, sheet } : null
}
