import { compareNames, type NameComparison, type NameMatch } from '../domain/name-match.ts'
import type { Batch } from '../store/batches/batches.ts'
import type { Sql } from '../store/connect.ts'
import type { AnswerRow } from '../views/answer.ts'
import { readOwnRows } from './own-rows.ts'

type Source = Pick<Batch, 'fileId' | 'layout'>
type Row = { line: number; startAt: bigint; size: number; answer: AnswerRow | null }

/** How the name in each row compares with that of the registry, by line; rows without one of them are left out. */
export const readNameMatches = async (
  sql: Sql,
  batch: Source,
  rows: readonly Row[],
): Promise<Map<number, NameComparison>> => {
  const named = rows.filter(({ answer }) => answer?.name)
  const own = named.length > 0 ? await readOwnRows(sql, batch, named, true) : new Map()
  return new Map(
    named.flatMap(({ line, answer }) => {
      const found = compareNames(own.get(line)?.name ?? '', answer!.name!)
      return found ? [[line, found] as const] : []
    }),
  )
}

/** Of some rows, those whose name compares so. */
export const keepNames =
  (sql: Sql, batch: Source, match: NameMatch) =>
  async <R extends Row>(rows: R[]): Promise<R[]> => {
    const matches = await readNameMatches(sql, batch, rows)
    return rows.filter(({ line }) => matches.get(line)?.match === match)
  }
