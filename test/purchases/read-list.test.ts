import { expect, test } from 'vitest'
import { CallFailure } from '../../src/domain/call-failure.ts'
import { readAnalysisList } from '../../src/purchases/read-list.ts'
import { connect } from '../../src/store/connect.ts'
import {
  beginListRead,
  completeAsOf,
  endListRead,
  latestListSnapshot,
  undeclaredLists,
} from '../../src/store/purchases/list-snapshots.ts'
import { recordPurchases } from '../../src/store/purchases/purchases.ts'
import { cpf, cpfs, csvOf } from '../support/documents.ts'
import { setup } from '../support/setup.ts'

test('lists of more organizations than there are connections are read without a deadlock', async () => {
  await using t = await setup()
  const sql = connect(t.settings.databaseUrl!, { max: 4 })
  const reader = { ...t.tools, sql, requestTimeoutMs: 1_000, lagMs: 0, shows: null }
  const read = (organizationId: number) => readAnalysisList(reader, { ...t.sandbox.account, organizationId })

  const outcomes = await Promise.all([1, 2, 3, 4, 5, 6].map(read))

  expect(outcomes.filter((outcome) => outcome instanceof CallFailure)).toHaveLength(2)
  expect(outcomes.filter((outcome) => outcome === 'busy')).toHaveLength(4)
  expect(await read(t.sandbox.account.organizationId)).toBe('read')
  await sql.end({ timeout: 1 })
})

const emptyForms = ['null', 'nullResult', 'noResult', 'notFound', 'refused'] as const

test('a reply that is no list counts as an empty one if nothing was ever bought, and proves nothing otherwise', async () => {
  await using t = await setup()
  const reader = { ...t.tools, requestTimeoutMs: 1_000, lagMs: 60_000, shows: null }
  const lane = { organizationId: t.sandbox.account.organizationId, kind: 'analysis' as const }
  const snapshotsOf = async (lagMs: number) => {
    const snapshots = []
    for (const empty of emptyForms) {
      t.sandbox.setScenario({ world: { list: { empty, lagMs } } })
      expect(await readAnalysisList(reader, t.sandbox.account)).toBe('read')
      const { complete, lacks } = (await latestListSnapshot(t.sql, lane))!
      snapshots.push({ empty, complete, lacks })
    }
    return snapshots
  }
  expect(await snapshotsOf(0)).toEqual(emptyForms.map((empty) => ({ empty, complete: true, lacks: false })))
  const forgetful = await readAnalysisList(reader, t.sandbox.account, { forgot: true })
  expect(forgetful).toMatchObject({ message: 'the registry sent no list, and the database may have lost purchases' })

  await t.finished(await t.submit(csvOf(cpfs(2))))
  expect(await snapshotsOf(3_600_000)).toEqual(emptyForms.map((empty) => ({ empty, complete: false, lacks: true })))
})

test('a body that is no list, and a refusal with a count above zero, are no empty list', async () => {
  await using t = await setup({ config: { request: { timeout: '2s', retries: 0 } } })
  const reader = { ...t.tools, requestTimeoutMs: 1_000, lagMs: 0, shows: null }
  const bodies = [
    {},
    { status: 'MAINTENANCE', message: 'm' },
    { sucess: false, total: 3, result: null },
    { result: null },
  ]
  for (const body of bodies) {
    const fault = { operation: 'activities' as const, fault: 'reply' as const, body: JSON.stringify(body) }
    t.sandbox.setScenario({ faults: [fault] })
    expect(await readAnalysisList(reader, t.sandbox.account)).toBeInstanceOf(CallFailure)
  }
})

test('says which purchase of ours may still come, though a later one is listed', async () => {
  await using t = await setup()
  await t.finished(await t.submit(csvOf(cpfs(3))))
  const reader = { ...t.tools, requestTimeoutMs: 1_000, lagMs: 60_000, shows: null }
  const latestOf = async () => {
    await readAnalysisList(reader, t.sandbox.account)
    return latestListSnapshot(t.sql, { organizationId: t.sandbox.account.organizationId, kind: 'analysis' })
  }
  expect(await latestOf()).toMatchObject({ complete: true, awaitedAt: null })

  const [first] = await t.sql<{ sendingAt: Date }[]>`
    update vigia.lookup set remote_id = 'not listed yet' where id = (select min(id) from vigia.lookup)
    returning sending_at as "sendingAt"`
  expect(await latestOf()).toMatchObject({ complete: true, awaitedAt: first!.sendingAt })
})

test('a list that shows a number of ours for another document is incomplete: it hides one of the two', async () => {
  await using t = await setup()
  await t.finished(await t.submit(csvOf(cpfs(3))))
  const reader = { ...t.tools, requestTimeoutMs: 0, lagMs: -60_000, shows: null }
  const lane = { organizationId: t.sandbox.account.organizationId, kind: 'analysis' as const }
  const latest = async () => {
    await readAnalysisList(reader, t.sandbox.account)
    return latestListSnapshot(t.sql, lane)
  }
  expect(await latest()).toMatchObject({ complete: true, lacks: false })

  await t.sql`update vigia.purchase set document = ${cpf(9)} where document = ${cpf(1)}`
  expect(await latest()).toMatchObject({ complete: false, lacks: true })

  await t.sql`delete from vigia.purchase`
  expect(await latest()).toMatchObject({ complete: true, lacks: false })
  await t.sql`update vigia.lookup set question = ${cpf(9)} where question = ${cpf(1)}`
  expect(await latest()).toMatchObject({ complete: false, lacks: true })
})

test('the purchase ledger agrees with a page until a number comes with another document', async () => {
  await using t = await setup()
  const lane = { organizationId: t.sandbox.account.organizationId, kind: 'analysis' as const }
  const shown = { key: null, dated: null, datedFrom: null, datedTo: null, status: null, deleted: false }
  const { id } = await beginListRead(t.sql, lane)
  const agreesAbout = (document: string) => recordPurchases(t.sql, lane, id, [{ ...shown, id: '17', document }])
  expect(await agreesAbout(cpf(1))).toBe(true)
  expect(await agreesAbout(cpf(1))).toBe(true)
  expect(await agreesAbout(cpf(2))).toBe(false)
})

test('an abandoned snapshot writes nothing more: calls may have been made since', async () => {
  await using t = await setup()
  const lane = { organizationId: t.sandbox.account.organizationId, kind: 'analysis' as const }
  const shown = {
    key: null,
    document: cpfs(1)[0]!,
    dated: null,
    datedFrom: null,
    datedTo: null,
    status: null,
    deleted: false,
  }
  const lost = await beginListRead(t.sql, lane)
  await recordPurchases(t.sql, lane, lost.id, [{ ...shown, id: 'before' }])
  await beginListRead(t.sql, lane)
  await recordPurchases(t.sql, lane, lost.id, [{ ...shown, id: 'after' }])

  expect(await t.sql`select remote_id from vigia.purchase`).toEqual([{ remote_id: 'before' }])
})

test('knows which lists were complete before a call: the last that came, whatever is still being read', async () => {
  await using t = await setup()
  const lane = { organizationId: t.sandbox.account.organizationId, kind: 'analysis' as const }
  const unknown = { lacks: false, oldestAt: null, youngestAt: null, awaitedAt: null, misdated: false }
  const read = async (complete: boolean) => {
    const { id } = await beginListRead(t.sql, lane)
    await endListRead(t.sql, id, { items: 6, analyses: 7, limit: 10, complete, ...unknown })
    return id
  }
  const [first, second] = [await read(true), await read(false)]
  const { id: open } = await beginListRead(t.sql, lane)
  expect(await completeAsOf(t.sql, lane, [first - 1n, first, second, open])).toEqual(
    new Map([
      [first, true],
      [second, false],
      [open, false],
    ]),
  )
})

test.each([
  ['length', null, false],
  ['null', null, false],
  ['null', 'everything', true],
  ['own', null, true],
] as const)(
  'a list with figures "%s" is complete if it or a person (%s) says so: %s',
  async (figures, shows, complete) => {
    await using t = await setup()
    await t.finished(await t.submit(csvOf(cpfs(3))))
    t.sandbox.setScenario({ world: { list: { figures } } })
    const reader = { ...t.tools, requestTimeoutMs: 1_000, lagMs: 0, shows }
    expect(await readAnalysisList(reader, t.sandbox.account)).toBe('read')
    const lane = { organizationId: t.sandbox.account.organizationId, kind: 'analysis' as const }
    expect(await latestListSnapshot(t.sql, lane)).toMatchObject({ complete, lacks: false })
    expect(await undeclaredLists(t.sql)).toHaveLength(complete ? 0 : 1)
  },
)

test('a list of the newest lacks nothing that is older than all of ours in it', async () => {
  await using t = await setup({ config: { concurrency: { worker: 1 } } })
  await t.finished(await t.submit(csvOf(cpfs(6))))
  await t.sql`update vigia.lookup set sending_at = sending_at - id * interval '1 day'`
  t.sandbox.setScenario({ world: { list: { page: 3, keep: 'oldest', total: 'page' } } })
  const lane = { organizationId: t.sandbox.account.organizationId, kind: 'analysis' as const }
  const lacks = async (shows: 'newest' | null) => {
    await readAnalysisList({ ...t.tools, requestTimeoutMs: 1_000, lagMs: 0, shows }, t.sandbox.account)
    return (await latestListSnapshot(t.sql, lane))!.lacks
  }
  expect(await lacks(null)).toBe(true)
  expect(await lacks('newest')).toBe(false)
  await t.sql`update vigia.lookup set sending_at = sending_at + interval '3 days' where id = 5`
  expect(await lacks('newest')).toBe(true)
})
