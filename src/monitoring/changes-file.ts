import { join } from 'node:path'
import { publishFile } from '../batches/atomic-file.ts'
import { type FindOwnNames, readOwnNames } from '../batches/own-rows.ts'
import { csvCell, csvOfRows, figureCell, type TableCell } from '../batches/table-file.ts'
import { formatDocument } from '../domain/document.ts'
import { besideAnother, type Database } from '../store/connect.ts'
import { type ChangeLine, streamChangesOf, streamChangesOfDay } from '../views/change.ts'
import type { OwnNames } from '../views/own-row.ts'

/** The columns of changes in every file that holds them. */
export const changeColumns =
  'seen_at organization document name field verdict before after sweep name_in_file ref'.split(' ')

/**
 * Writes every change that the sweeps of a day found into `changes-YYYY-MM-DD.csv`, worst first.
 *
 * It is made for Excel in Brazil: semicolons, comma decimals, a byte order mark. On a day without changes the file has
 * only its header, which proves that the sweep ran.
 */
export const writeChangesFile = (
  sql: Database,
  { folder, day, timezone }: { folder: string; day: string; timezone: string },
): Promise<string> =>
  writeChanges(sql, join(folder, `changes-${day}.csv`), streamChangesOfDay(sql, day, timezone), timezone)

/** Writes the changes of one sweep into a file of its own, worst first. */
export const writeChangesOf = (
  sql: Database,
  sweepId: bigint,
  { folder, name, timezone }: { folder: string; name: string; timezone: string },
): Promise<string> => writeChanges(sql, join(folder, name), streamChangesOf(sql, sweepId), timezone)

const writeChanges = (
  sql: Database,
  path: string,
  found: AsyncIterable<ChangeLine[]>,
  timezone: string,
): Promise<string> =>
  besideAnother(sql, async () => {
    await publishFile(path, async (file) => {
      await file.write(Buffer.from(`\uFEFF${changesHeader()}`))
      for await (const changes of found) {
        await file.write(Buffer.from(changesCsv(changes, await readOwnNames(sql, changes, true), timezone)))
      }
    })
    return path
  })

export const changesHeader = (): string => csvOfRows([changeColumns])

type Line = Omit<ChangeLine, 'rules' | 'acknowledgedAt' | 'acknowledgedBy' | 'note' | 'snoozedUntil'>

export const changesCsv = (changes: readonly Line[], ownNames: FindOwnNames, timezone: string): string =>
  csvOfRows(changes.map((change) => changeCells(change, ownNames(change), timezone).map(csvCell)))

/** A change as the cells of the columns above. */
export const changeCells = (change: Line, own: OwnNames | null, timezone: string): TableCell[] => [
  change.seenAt.toLocaleString('sv-SE', { timeZone: timezone }),
  Number(change.organizationId),
  formatDocument(change.document),
  change.name,
  change.field,
  change.verdict,
  figureCell(change.before),
  figureCell(change.after),
  Number(change.sweepId),
  own?.name ?? null,
  own?.ref ?? null,
]
