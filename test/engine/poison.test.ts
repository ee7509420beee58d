import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { makeChunks, poisonAt } from '../../src/engine/dispatch.ts'
import { connect } from '../../src/store/connect.ts'
import { handToJobs, releaseFromDead } from '../../src/store/lookups/due-lookups.ts'
import { createDatabase } from '../support/database.ts'

test('a look-up that is in hand at every death is set aside as failed, with that reason; one in doubt never is', async () => {
  const database = await createDatabase()
  const sql = connect(database.url)
  const made = await sql<{ id: bigint }[]>`
    insert into lookup (organization_id, kind, question, batch_id, due_at, deadline_at, state, sending_at, charged)
    values (7, 'processes', 'a', 1, now(), now() + interval '1 day', 'queued', null, 'no'),
           (7, 'analysis', 'b', 1, now(), now() + interval '1 day', 'sending', now(), 'unknown')
    returning id`
  const ids = made.map(({ id }) => id)

  const read = () => sql`select state, detail, due_at is not null as due from lookup order by id`

  for (let death = 1; death <= poisonAt; death++) {
    expect(await read()).toMatchObject([
      { state: 'queued', detail: null, due: true },
      { state: 'sending', due: true },
    ])
    const jobId = randomUUID()
    await handToJobs(
      sql,
      ids,
      ids.map(() => jobId),
    )
    await releaseFromDead(sql, ids, jobId, poisonAt, new Date())
  }

  const after = await read()
  expect(after[0]).toMatchObject({ state: 'failed', detail: expect.stringContaining('died three times'), due: false })
  expect(after[1]).toMatchObject({ state: 'sending', due: true })
  await sql.end()
  await database.drop()
})

test('a look-up is set aside after three deaths alone in hand, and no earlier', () => {
  const suspects = (suspicion: number) =>
    Array.from({ length: 40 }, (_, id) => ({
      id: BigInt(id),
      batchId: 1n,
      organizationId: 7n,
      kind: 'processes' as const,
      state: 'queued' as const,
      suspicion,
    }))
  const sizes = Array.from({ length: poisonAt }, (_, deaths) => makeChunks(suspects(deaths), 500)[0]?.lookups.length)
  expect(sizes).toEqual([40, 16, 1, 1, 1])
})

test('a job that is no longer the owner cannot take anything back', async () => {
  const database = await createDatabase()
  const sql = connect(database.url)
  const [made] = await sql<{ id: bigint }[]>`
    insert into lookup (organization_id, kind, question, batch_id, due_at, deadline_at)
    values (7, 'processes', 'a', 1, now(), now() + interval '1 day') returning id`
  await handToJobs(sql, [made!.id], [randomUUID()])

  expect(await releaseFromDead(sql, [made!.id], randomUUID(), poisonAt, new Date())).toEqual([])
  await sql.end()
  await database.drop()
})
