import { readdir } from 'node:fs/promises'
import type { Database } from '../../src/store/connect.ts'
import { until } from '../support/until.ts'
import type { OldVigia } from './old-vigia.ts'

/** The old Vigia, whose actions make up the fixture, and a connection to its database. */
export type Teller = { old: OldVigia; sql: Database }

/** Nothing of the fixture may time out before it is loaded, in a year or in five. */
export const lasting = {
  organizations: [{ organizationId: 7002, holderId: 502, planId: 32 }],
  polling: { first: '100ms', max: '500ms', deadline: '3650d' },
  request: { timeout: '2s', retries: 1 },
  freshness: { analysis: '3650d', cnh: '3650d', scr: '3650d', processes: '3650d' },
  import: { maxRejectShare: 0.7 },
  retention: { batches: '3650d', lookups: '3700d' },
  radarSweep: { refresh: 'processes', analysisEvery: '3650d' },
  sweeps: { radars: null, unfinished: null, usage: null, purge: null },
  alerts: { webhook: 'http://127.0.0.1:9/vigia', allowPrivate: true },
}

/** Removes what made the look-ups wait: everything is ready at once, every plan has units, every call is answered. */
export const calm = { readyAfterMs: 0, plans: {}, deniedOrganizations: [], faults: [], activities: {}, radars: {} }

/** Two minutes: each step waits for processes on a machine that may be busy. */
const timeoutMs = 120_000

export const submit = async (
  { old }: Teller,
  name: string,
  content: string | Buffer,
  ...options: string[]
): Promise<number> => {
  const { batch } = await old.vigia('submit', await old.file(name, content), ...options)
  return Number(batch)
}

export const settled = ({ sql }: Teller, ids: number[]) =>
  until(async () => {
    const rows = await sql`
      select from vigia.batch where id = any(${ids}::bigint[]) and (exported_at is not null or state = 'rejected')`
    return rows.length === ids.length
  }, timeoutMs)

/** Waits until the given number of look-ups of a batch are in a state. */
export const reached = ({ sql }: Teller, batch: number, state: string, count: number) =>
  until(async () => {
    const rows = await sql`select from vigia.lookup where batch_id = ${batch} and state = ${state}`
    return rows.length >= count
  }, timeoutMs)

export const imported = ({ sql }: Teller, ids: number[]) =>
  until(async () => {
    const rows = await sql`select from vigia.batch where id = any(${ids}::bigint[]) and imported_at is not null`
    return rows.length === ids.length
  }, timeoutMs)

/** The three files of every batch that can have them, as the old Vigia writes them now. */
export const exportAll = async ({ old, sql }: Teller, folder: string): Promise<void> => {
  const batches = await sql<{ id: bigint }[]>`
    select id from vigia.batch where imported_at is not null and file_id is not null order by id`
  for (const { id } of batches) await old.vigia('export', String(id), '--out', `${folder}/${id}`)
  console.log(`exported ${(await readdir(folder)).length} batches`)
}
