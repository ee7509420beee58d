import { maskCell } from '../domain/mask-cell.ts'
import { maskDocuments } from '../domain/mask-documents.ts'
import { maskName } from '../domain/mask-name.ts'
import { roleOf } from '../files/columns/roles.ts'
import { parseRecord } from '../files/csv/record-parser.ts'
import type { Batch } from '../store/batches/batches.ts'
import type { Sql } from '../store/connect.ts'
import type { OwnRow } from '../views/own-row.ts'
import { type Layout, layoutOf } from './layout.ts'
import { readRowTexts } from './row-texts.ts'

type Row = { line: number; startAt: bigint; size: number }
type Source = Pick<Batch, 'fileId' | 'layout'>

/** The cells of some rows in the person's own file, by line; empty for a batch without a file. */
export const readOwnRows = async (
  sql: Sql,
  batch: Source,
  rows: readonly Row[],
  revealed = false,
): Promise<Map<number, OwnRow>> => {
  const layout = layoutOf(batch) as Layout | null
  if (!batch.fileId || !layout) return new Map()
  const short = rows.filter(({ size }) => size <= longestRow)
  const places = short.map(({ startAt, size }) => ({ start: Number(startAt), end: Number(startAt) + size }))
  const [head, ...texts] = await readRowTexts(sql, batch.fileId, layout.dialect, [layout.header ?? nothing, ...places])
  const header = layout.header ? parseRecord(head!, layout.dialect) : []
  return new Map(
    short.map(({ line }, i) => [line, ownRow(parseRecord(texts[i]!, layout.dialect), header, layout, revealed)]),
  )
}

const nothing = { start: 0, end: 0 }
const longestRow = 64 * 1024

const ownRow = (cells: string[], header: string[], { columns }: Layout, revealed: boolean): OwnRow => {
  const own = cells.slice(0, columns.width)
  const shown = own.map((cell, at) => {
    if (revealed) return cell.trim()
    if (at === columns.document || at === columns.cnpj || namesDocuments(header[at] ?? '')) return maskCell(cell.trim())
    return at === columns.name ? maskName(maskDocuments(cell)) : maskDocuments(cell.trim())
  })
  const at = (index: number | undefined) => (index === undefined ? null : shown[index] || null)
  return {
    name: at(columns.name),
    ref: at(columns.ref),
    authorization: at(columns.authorization),
    cells: shown.map((text, i) => ({ column: maskDocuments(header[i]?.trim() ?? '') || null, text })),
  }
}

const namesDocuments = (header: string): boolean => ['documento', 'cpf', 'cnpj'].includes(roleOf(header)?.role ?? '')
