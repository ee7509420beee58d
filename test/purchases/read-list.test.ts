import { expect, test } from 'vitest'
import { CallFailure } from '../../src/domain/call-failure.ts'
import { type ListReader, readAnalysisList } from '../../src/purchases/read-list.ts'
import { accounts } from '../../src/sandbox/tokens.ts'
import { connect } from '../../src/store/connect.ts'
import {
  beginListRead,
  completeAsOf,
  endListRead,
  latestListSnapshot,
  undeclaredLists,
} from '../../src/store/purchases/list-snapshots.ts'
import { recordPurchases } from '../../src/store/purchases/purchases.ts'
import { openDatabase } from '../support/database.ts'
import { cpf, cpfs, csvOf } from '../support/documents.ts'
import { type SetupOptions, setup } from '../support/setup.ts'

const lane = { organizationId: accounts[0].organizationId, kind: 'analysis' as const }

/** A registry of which some analyses were bought, and its list as it is read now. */
const listOf = async (bought: number, options?: SetupOptions) => {
  const t = await setup(options)
  if (bought > 0) await t.finished(await t.submit(csvOf(cpfs(bought))))
  const reader = { ...t.tools, requestTimeoutMs: 1_000, lagMs: 0, shows: null }
  const read = (terms: Partial<ListReader> = {}) => readAnalysisList({ ...reader, ...terms }, t.sandbox.account)
  const latest = async (terms?: Partial<ListReader>) => {
    expect(await read(terms)).toBe('read')
    return (await latestListSnapshot(t.sql, lane))!
  }
  return { ...t, reader, read, latest }
}

test('lists of more organizations than there are connections are read without a deadlock', async () => {
  await using t = await listOf(0)
  const sql = connect(t.databaseUrl, { max: 4 })
  const read = (organizationId: number) =>
    readAnalysisList({ ...t.reader, sql }, { ...t.sandbox.account, organizationId })

  const outcomes = await Promise.all([1, 2, 3, 4, 5, 6].map(read))

  expect(outcomes.filter((outcome) => outcome instanceof CallFailure)).toHaveLength(2)
  expect(outcomes.filter((outcome) => outcome === 'busy')).toHaveLength(4)
  expect(await read(t.sandbox.account.organizationId)).toBe('read')
  await sql.end({ timeout: 1 })
})

const emptyForms = ['null', 'nullResult', 'noResult', 'notFound', 'refused'] as const

test('a reply that is no list counts as an empty one if nothing was ever bought, and proves nothing otherwise', async () => {
  await using t = await listOf(0)
  const snapshotsOf = async (lagMs: number) => {
    const snapshots = []
    for (const empty of emptyForms) {
      t.sandbox.setScenario({ world: { list: { empty, lagMs } } })
      const { complete, lacks } = await t.latest({ lagMs: 60_000 })
      snapshots.push({ empty, complete, lacks })
    }
    return snapshots
  }
  expect(await snapshotsOf(0)).toEqual(emptyForms.map((empty) => ({ empty, complete: true, lacks: false })))
  const forgetful = await readAnalysisList(t.reader, t.sandbox.account, { forgot: true })
  expect(forgetful).toMatchObject({ message: 'the registry sent no list, and the database may have lost purchases' })

  await t.finished(await t.submit(csvOf(cpfs(2))))
  expect(await snapshotsOf(3_600_000)).toEqual(emptyForms.map((empty) => ({ empty, complete: false, lacks: true })))
})

test('a body that is no list, and a refusal with a count above zero, are no empty list', async () => {
  await using t = await listOf(0, { config: { request: { timeout: '2s', retries: 0 } } })
  const bodies = [
    {},
    { status: 'MAINTENANCE', message: 'm' },
    { sucess: false, total: 3, result: null },
    { result: null },
  ]
  for (const body of bodies) {
    const fault = { operation: 'activities' as const, fault: 'reply' as const, body: JSON.stringify(body) }
    t.sandbox.setScenario({ faults: [fault] })
    expect(await t.read()).toBeInstanceOf(CallFailure)
  }
})

test('says which purchase of ours may still come, though a later one is listed', async () => {
  await using t = await listOf(3)
  expect(await t.latest({ lagMs: 60_000 })).toMatchObject({ complete: true, awaitedAt: null, requiredAt: null })

  const [first] = await t.sql<{ sendingAt: Date }[]>`
    update vigia.lookup set remote_id = 'not listed yet' where id = (select min(id) from vigia.lookup)
    returning sending_at`
  expect(await t.latest({ lagMs: 60_000 })).toMatchObject({ complete: true, awaitedAt: first!.sendingAt })
})

test('says which purchase of ours it had to show last', async () => {
  await using t = await listOf(3)
  const [{ last }] = await t.sql<[{ last: Date }]>`select max(sending_at) as last from vigia.lookup`
  const { youngestAt, requiredAt } = await t.latest({ requestTimeoutMs: 0, lagMs: -60_000 })
  expect([youngestAt, requiredAt]).toEqual([last, last])
})

test('a list that shows a number of ours for another document is incomplete: it hides one of the two', async () => {
  await using t = await listOf(3)
  const latest = () => t.latest({ requestTimeoutMs: 0, lagMs: -60_000 })
  expect(await latest()).toMatchObject({ complete: true, lacks: false })

  await t.sql`update vigia.purchase set document = ${cpf(9)} where document = ${cpf(1)}`
  expect(await latest()).toMatchObject({ complete: false, lacks: true })

  await t.sql`delete from vigia.purchase`
  expect(await latest()).toMatchObject({ complete: true, lacks: false })
  await t.sql`update vigia.lookup set question = ${cpf(9)} where question = ${cpf(1)}`
  expect(await latest()).toMatchObject({ complete: false, lacks: true })
})

const shown = { key: null, dated: null, datedFrom: null, datedTo: null, status: null, deleted: false }

test('the purchase ledger agrees with a page until a number comes with another document', async () => {
  await using t = await openDatabase()
  const { id } = await beginListRead(t.sql, lane)
  const agreesAbout = (document: string) => recordPurchases(t.sql, lane, id, [{ ...shown, id: '17', document }])
  expect(await agreesAbout(cpf(1))).toBe(true)
  expect(await agreesAbout(cpf(1))).toBe(true)
  expect(await agreesAbout(cpf(2))).toBe(false)
})

test('an abandoned snapshot writes nothing more: calls may have been made since', async () => {
  await using t = await openDatabase()
  const lost = await beginListRead(t.sql, lane)
  await recordPurchases(t.sql, lane, lost.id, [{ ...shown, document: cpf(0), id: 'before' }])
  await beginListRead(t.sql, lane)
  await recordPurchases(t.sql, lane, lost.id, [{ ...shown, document: cpf(0), id: 'after' }])

  expect(await t.sql`select remote_id from vigia.purchase`).toEqual([{ remoteId: 'before' }])
})

test('knows which lists were complete before a call: the last that came, whatever is still being read', async () => {
  await using t = await openDatabase()
  const dates = { oldestAt: null, youngestAt: null, requiredAt: null, awaitedAt: null }
  const read = async (complete: boolean) => {
    const { id } = await beginListRead(t.sql, lane)
    await endListRead(t.sql, id, {
      items: 6,
      analyses: 7,
      limit: 10,
      complete,
      ...dates,
      lacks: false,
      misdated: false,
    })
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

test('a list is complete if its figures or a person say that it shows everything', async () => {
  await using t = await listOf(3)
  const completeWith = async (figures: 'own' | 'length' | 'null', shows: 'everything' | null = null) => {
    t.sandbox.setScenario({ world: { list: { figures } } })
    const { complete, lacks } = await t.latest({ shows })
    return { complete, lacks, undeclared: (await undeclaredLists(t.sql)).length }
  }
  const undeclared = { complete: false, lacks: false, undeclared: 1 }
  const declared = { complete: true, lacks: false, undeclared: 0 }
  expect(await completeWith('length')).toEqual(undeclared)
  expect(await completeWith('null')).toEqual(undeclared)
  expect(await completeWith('null', 'everything')).toEqual(declared)
  expect(await completeWith('own')).toEqual(declared)
})

test('a list of the newest lacks nothing that is older than all of ours in it', async () => {
  await using t = await listOf(6, { config: { concurrency: { worker: 1 } } })
  await t.sql`update vigia.lookup set sending_at = sending_at - id * interval '1 day'`
  t.sandbox.setScenario({ world: { list: { page: 3, keep: 'oldest', total: 'page' } } })
  const lacks = async (shows: 'newest' | null) => (await t.latest({ shows })).lacks
  expect(await lacks(null)).toBe(true)
  expect(await lacks('newest')).toBe(false)
  await t.sql`update vigia.lookup set sending_at = sending_at + interval '3 days' where id = 5`
  expect(await lacks('newest')).toBe(true)
})
