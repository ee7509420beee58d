import { z } from 'zod'
import { batchOrRefuse } from '../batches/batch-or-refuse.ts'
import { collectRows } from '../batches/collect-rows.ts'
import { keepNames, readOwnRows } from '../batches/own-rows.ts'
import { readRowHistory } from '../batches/row-history.ts'
import { nameMatches } from '../domain/name-match.ts'
import { maskLine } from '../log/mask.ts'
import { rowLine, toRowView } from '../views/row.ts'
import { rowHistory } from '../views/row-history.ts'
import { column, id, line } from './fields.ts'
import { defineOperation } from './operation.ts'

export const rowOperations = {
  list: defineOperation({
    name: 'listRows',
    summary: 'Rows in the order of the file, a page at a time; `next` is the `after` of the next page',
    role: 'analyst',
    route: 'GET /batches/{batch}/rows',
    input: z.object({
      batch: id,
      outcome: z.string().max(30).optional(),
      reason: z.string().max(30).optional(),
      name: z.enum(nameMatches).optional().describe('how the name in the file compares with that of the registry'),
      after: z.int().min(0).max(2_000_000_000).default(0),
    }),
    output: z.object({ rows: z.array(rowLine), next: z.int().nullable() }),
    async run({ sql }, { batch: id, after, name, ...filter }) {
      const batch = await batchOrRefuse(sql, id)
      const keep = name && keepNames(sql, batch, name)
      const { rows, next } = await collectRows(sql, batch.id, filter, after, { keep })
      const own = await readOwnRows(sql, batch, rows)
      return { rows: rows.map((row) => toRowView(batch, row, own.get(row.line))), next }
    },
  }),
  read: defineOperation({
    name: 'readRow',
    summary: 'One row: the registry’s answer, the cells of the file, and its history',
    role: 'analyst',
    route: 'GET /batches/{batch}/rows/{line}',
    input: z.object({ batch: id, line, column }),
    output: rowHistory,
    run: ({ sql }, { batch, ...place }) => readRowHistory(sql, batch, place, maskLine),
  }),
}
