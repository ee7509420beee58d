import { rememberedColumns } from '../batches/column-choices.ts'
import { readRow } from '../batches/layout.ts'
import { readTable } from '../batches/read-table.ts'
import type { PortfolioKind } from '../domain/portfolio.ts'
import type { ReadOptions } from '../files/columns/read-options.ts'
import { openCsv } from '../files/csv/read.ts'
import type { Transaction } from '../store/connect.ts'
import { copyListed, type ListedDocument, openListed } from '../store/portfolios/documents.ts'

export type ListFile = {
  /** Opens the file anew each time; it is read three times. */
  open: () => AsyncIterable<Uint8Array>
  organizationId: number
  kind: PortfolioKind
  /** How the file is to be read, where a person decided it. */
  choice?: ReadOptions
}

/** The counts of a list. Its rejected rows are no documents. */
export type ReadList = { rows: number; rejected: number; rejects: Record<string, number> }

/** Reads the documents of a file as an import would, in flat memory, into a temporary table of the transaction. */
export const readList = async (tx: Transaction, file: ListFile): Promise<ReadList> => {
  const { kind, choice = {}, organizationId } = file
  const request = { kind, choice, remembered: await rememberedColumns(tx, organizationId) }
  await openListed(tx)
  await using table = await readTable(file.open, request)
  const { dialect, columns } = table.layout
  const csv = await openCsv(table.open(), dialect, { batchSize: 5_000 })
  const read: ReadList = { rows: 0, rejected: 0, rejects: {} }
  for await (const records of csv.records) {
    const listed: ListedDocument[] = []
    for (const record of records) {
      const row = readRow(record, columns, kind)
      const cell = (at: number | undefined) => (at === undefined ? '' : (record.cells[at] ?? '').trim().slice(0, 200))
      if ('rejected' in row) read.rejects[row.rejected] = (read.rejects[row.rejected] ?? 0) + 1
      else {
        const { question } = row.question
        const [name, ref, consent] = [columns.name, columns.ref, columns.authorization].map(cell) as [
          string,
          string,
          string,
        ]
        listed.push({ place: record.line, document: question, name, ref, consent })
      }
    }
    read.rows += records.length
    read.rejected += records.length - listed.length
    await copyListed(tx, listed)
  }
  return read
}
