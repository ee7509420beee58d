import { classifications } from '../domain/classifications.ts'
import type { Kind } from '../domain/kind.ts'
import type { WorkbookLabels } from '../messages/labels.ts'
import type { ResultField } from '../store/batches/results.ts'
import type { ResultRow } from './result-row.ts'

/**
 * A column that reports add on the right: its name in the CSV, its label and width in the workbook, and its cells.
 *
 * `code` is one of a closed set: the CSV has it as it is, the workbook has its name in the reader's language.
 */
type ResultColumn = {
  /** Null for what only the workbook shows. */
  header: string | null
  label: (labels: WorkbookLabels) => string
  width: number
  cell: ResultCell
}

export type ResultCell =
  | { type: 'code'; field: 'state' | 'charge' | 'repair' }
  | { type: 'risk' | 'detail' | 'nameMatch' }
  | { type: 'text' | 'integer' | 'boolean' | 'dateTime'; field: ResultField }
  /** One figure of an analysis, by the place of its class. */
  | { type: 'count' | 'amount'; place: number }

/** The columns of a kind, in the order of the CSV. */
export const resultColumns = (kind: Kind): ResultColumn[] => {
  const risk = column(null, ({ columns }) => columns.risk, 20, { type: 'risk' })
  return [state, ...(showsRisk(kind) ? [risk] : []), ...commonColumns, ...kindColumns[kind]]
}

/** In the workbook, what is written in words stands before what was asked and answered. */
export const sheetColumns = (kind: Kind): { localized: ResultColumn[]; typed: ResultColumn[] } => {
  const { localized = [], typed = [] } = Object.groupBy(resultColumns(kind), ({ cell: { type } }) =>
    type === 'code' || type === 'risk' || type === 'detail' ? 'localized' : 'typed',
  )
  return { localized, typed }
}

/** Whether answers of a kind contain lawsuits, and so a level of risk. */
export const showsRisk = (kind: Kind): boolean => kind === 'analysis' || kind === 'processes'

/** Whether an answer of a kind has a name of the registry to compare. */
export const comparesNames = (kind: Kind): boolean => resultColumns(kind).some(({ cell }) => cell.type === 'nameMatch')

/** Where the encoders find a cell: the field of the row, or the place of the figure. */
export const cellPlace = (cell: ResultCell, row: ResultRow): number => {
  if ('place' in cell) return cell.place
  if ('field' in cell) return row.at(cell.field)
  return cell.type === 'nameMatch' ? row.at('registryName') : 0
}

const column = (
  header: string | null,
  label: ResultColumn['label'],
  width: number,
  cell: ResultCell,
): ResultColumn => ({
  header,
  label,
  width,
  cell,
})

const text = (
  header: string,
  label: keyof WorkbookLabels['columns'],
  width: number,
  field: ResultField,
): ResultColumn => column(header, ({ columns }) => columns[label] as string, width, { type: 'text', field })

const state = column('result_status', ({ columns }) => columns.status, 18, { type: 'code', field: 'state' })

const commonColumns: ResultColumn[] = [
  column('result_detail', ({ columns }) => columns.detail, 28, { type: 'detail' }),
  column('result_charged', ({ columns }) => columns.charged, 10, { type: 'code', field: 'charge' }),
  text('result_document', 'document', 20, 'question'),
  column('result_repair', ({ columns }) => columns.repair, 16, { type: 'code', field: 'repair' }),
  column('result_as_of', ({ columns }) => columns.asOf, 19, { type: 'dateTime', field: 'asOf' }),
  text('result_id', 'id', 14, 'remoteId'),
]

const figureColumns = classifications.flatMap((key, place) => [
  column(`${key}_count`, ({ columns, terms }) => columns.count(terms.classifications[key]), 13, {
    type: 'count',
    place,
  }),
  column(`${key}_value`, ({ columns, terms }) => columns.amount(terms.classifications[key]), 17, {
    type: 'amount',
    place,
  }),
])

const kindColumns: Record<Kind, ResultColumn[]> = {
  analysis: [
    text('registry_name', 'registryName', 30, 'registryName'),
    column('name_match', ({ columns }) => columns.nameMatch, 14, { type: 'nameMatch' }),
    text('protest_status', 'protestStatus', 16, 'protestStatus'),
    text('important_terms', 'terms', 36, 'importantTerms'),
    ...figureColumns,
  ],
  cnh: [text('cnh_status', 'cnhStatus', 18, 'seen'), text('cnh_data', 'cnhData', 60, 'data')],
  scr: [text('scr_data', 'scrData', 60, 'data')],
  processes: [column('processes_total', ({ columns }) => columns.processes, 13, { type: 'integer', field: 'total' })],
  radar: [
    text('radar_id', 'radarId', 16, 'radarId'),
    column('radar_active', ({ columns }) => columns.radarActive, 12, { type: 'boolean', field: 'radarActive' }),
  ],
  inactivation: [text('process_status', 'processStatus', 22, 'processStatus')],
}
