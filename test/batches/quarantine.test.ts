import { createHash } from 'node:crypto'
import { hostname } from 'node:os'
import { expect, test } from 'vitest'
import { submitOrKeep } from '../../src/batches/uploads.ts'
import { FileProblem } from '../../src/files/file-problem.ts'
import type { Database } from '../../src/store/connect.ts'
import { cpfs, csvOf } from '../support/documents.ts'
import { sharedGround, submissionOf } from './ground.ts'

const t = sharedGround()

const text = csvOf(cpfs(3))

const snapshots = (sql: Database) => sql`select process from vigia.file_read`

test('an upload that ended two workers is refused, and others are not', async () => {
  await died(t.sql, text, 2)

  const upload = (content: string) => submitOrKeep(t.sql, t.tools.boss, submissionOf(content))

  await expect(upload(text)).rejects.toMatchObject({ code: 'quarantined', reason: ['quarantined', 2] })
  expect(await upload(csvOf(cpfs(4)))).toHaveProperty('batchId')
})

test('one death, an orderly end or a death a day ago does not count', async () => {
  await died(t.sql, text, 1)
  await t.submit(text)
  expect(await snapshots(t.sql)).toEqual([])

  const other = csvOf(cpfs(5))
  await died(t.sql, other, 2)
  await t.sql`update vigia.file_read set began_at = began_at - interval '25 hours'`
  await t.submit(other)
})

test('a claim of a worker on another machine is a death only once that worker is silent', async () => {
  await died(t.sql, text, 2, 'elsewhere')
  await t.sql`insert into vigia.worker (id, host, pid) values (gen_random_uuid(), 'elsewhere', 4242)`
  await t.submit(text)

  const other = csvOf(cpfs(6))
  await died(t.sql, other, 2, 'elsewhere')
  await t.sql`update vigia.worker set heartbeat_at = heartbeat_at - interval '1 minute'`
  await expect(t.submit(other)).rejects.toBeInstanceOf(FileProblem)
})

/** Claims as killed processes leave them. */
const died = async (sql: Database, content: string, times: number, host = hostname()) => {
  const sha256 = createHash('sha256').update(content).digest('hex')
  for (let i = 0; i < times; i++)
    await sql`insert into vigia.file_read (sha256, from_line, host, process) values (${sha256}, 0, ${host}, '4242 1 boot')`
}
