import type { ReportFormat } from '../domain/batch.ts'
import type { Batch } from '../store/batches/batches.ts'

/** What the report of a batch is: what was asked for with it, else what its file was. */
export const formatOf = (batch: Batch): ReportFormat => batch.format ?? (cameAsWorkbook(batch) ? 'xlsx' : 'csv')

/** Whether its file was a workbook. None is taken yet, so every file is text. */
export const cameAsWorkbook = (_batch: Batch): boolean => false
