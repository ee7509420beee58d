import { rejectionOf, rowReader } from '../batches/layout.ts'
import { readTable } from '../batches/read-layout.ts'
import { rememberedColumns } from '../batches/submit.ts'
import type { PortfolioKind } from '../domain/portfolio.ts'
import { nameColumn } from '../files/columns/find-columns.ts'
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
  const readRow = rowReader(columns, kind)
  for await (const records of csv.records) {
    const listed: ListedDocument[] = []
    for (const record of records) {
      const documents = readRow(record)
      const cell = (at: number | undefined) => (at === undefined ? '' : (record.cells[at] ?? '').trim().slice(0, 200))
      const rejection = rejectionOf(documents)
      if (rejection) {
        read.rejected++
        read.rejects[rejection.rejected] = (read.rejects[rejection.rejected] ?? 0) + 1
      }
      const [name, ref, consent] = [cell(nameColumn(columns)), cell(columns.ref), cell(columns.authorization)]
      for (const each of documents) {
        if ('question' in each) {
          listed.push({ place: record.line, document: each.question.question, name, ref, consent })
        }
      }
    }
    read.rows += records.length
    await copyListed(tx, listed)
  }
  return read
}
