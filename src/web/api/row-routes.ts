import { z } from 'zod'
import { batchOrRefuse } from '../../batches/batch-or-refuse.ts'
import { collectRows } from '../../batches/collect-rows.ts'
import { keepNames } from '../../batches/name-matches.ts'
import { readOwnRows } from '../../batches/own-rows.ts'
import { readRowHistory } from '../../batches/row-history.ts'
import { nameMatches } from '../../domain/name-match.ts'
import { maskLine } from '../../log/mask.ts'
import { lookupOperations } from '../../operations/lookups.ts'
import { rowLine, toRowView } from '../../views/row.ts'
import { rowHistory } from '../../views/row-history.ts'
import { idIn, lineIn } from '../address.ts'
import { apiRoute, operationRoute } from './api-route.ts'

const rowsQuery = z.object({
  outcome: z.string().max(30).optional(),
  reason: z.string().max(30).optional(),
  name: z.enum(nameMatches).optional().describe('how the name in the file compares with that of the registry'),
  after: z.coerce.number().int().min(0).max(2_000_000_000).default(0),
})

export const rowRoutes = [
  ...Object.values(lookupOperations).map(operationRoute),
  apiRoute({
    method: 'GET',
    path: '/batches/{batch}/rows',
    role: 'analyst',
    name: 'listRows',
    summary: 'Rows in the order of the file, a page at a time; `next` is the `after` of the next page',
    query: rowsQuery,
    reply: z.object({ rows: z.array(rowLine), next: z.int().nullable() }),
    async answer({ site, params, query: { after, name, ...filter } }) {
      const batch = await batchOrRefuse(site.engine.sql, idIn(params, 'batch'))
      const { rows, next } = await collectRows(site.engine.sql, batch.id, filter, after, {
        keep: name && keepNames(site.engine.sql, batch, name),
      })
      const own = await readOwnRows(site.engine.sql, batch, rows)
      return { rows: rows.map((row) => toRowView(row, own.get(row.line))), next }
    },
  }),
  apiRoute({
    method: 'GET',
    path: '/batches/{batch}/rows/{line}',
    role: 'analyst',
    name: 'readRow',
    summary: 'One row: the registry’s answer, the cells of the file, and its history',
    reply: rowHistory,
    async answer({ site, params }) {
      const { id } = await batchOrRefuse(site.engine.sql, idIn(params, 'batch'))
      return readRowHistory(site.engine.sql, id, lineIn(params), maskLine)
    },
  }),
]
