import type { Database, Transaction } from '../../../src/store/connect.ts'
import { readServer } from '../../../src/store/fleet/workers.ts'
import { createDice, type Dice } from '../plan/dice.ts'
import { createModelDatabase, type ModelDatabase } from '../store/database.ts'
import { directHandle } from '../store/handle.ts'
import type { BatchRecord, RowRecord } from '../store/tables.ts'
import { plain, stateOf, stateOfModel } from './compare.ts'
import { setNights, sweepBatches } from './nights.ts'
import { courses, mayFail, type Operation, operations, type Scene } from './operations.ts'

type Store = Record<string, (...args: unknown[]) => unknown>

const files = [...new Set(operations.map(({ module }) => module))]

const load = async (folder: string): Promise<Map<string, Store>> =>
  new Map(
    await Promise.all(
      files.map(async (file) => [file, (await import(/* @vite-ignore */ `${folder}${file}.ts`)) as Store] as const),
    ),
  )

export type Stores = { real: Map<string, Store>; model: Map<string, Store>; server: string }

export const loadStores = async (sql: Database): Promise<Stores> => ({
  real: await load('../../../src/store/'),
  model: await load('../store/'),
  server: (await readServer(sql)).start,
})

/** Calls that belong together, and any others between them. */
const courseOf = (dice: Dice, length: number): Operation[] => {
  const course: Operation[] = []
  while (course.length < length) {
    for (const name of dice.pick(courses)) {
      if (dice.chance(0.2)) course.push(dice.pick(operations))
      course.push(dice.pick(operations.filter((each) => each.name === name)))
    }
  }
  return course
}

class Undone extends Error {}

/** Plays a random sequence of calls on PostgreSQL and on the model; says where they first differ, or null. */
export const playSequence = async (
  sql: Database,
  stores: Stores,
  seed: number,
  length: number,
): Promise<string | null> => {
  const dice = createDice(seed)
  const at = new Date(Math.floor(Date.now() / 1_000) * 1_000)
  const model = createModelDatabase(() => new Date())
  model.start = stores.server
  let difference: string | null = null
  await sql
    .begin(async (tx) => {
      await setScene(tx, model, dice, at)
      const described: string[] = []
      for (const operation of courseOf(dice, length)) {
        if (difference) break
        const args = operation.draw({ dice, model, at, server: stores.server } satisfies Scene)
        if (!args) continue
        described.push(`${operation.name}(${JSON.stringify(plain(args))})`)
        difference = await playBoth(tx, model, stores, operation, args)
      }
      difference ??= differenceOf(await stateOf(tx), stateOfModel(model))
      if (difference) difference = `seed ${seed}: ${difference}\n${described.join('\n')}`
      throw new Undone()
    })
    .catch((error) => {
      if (!(error instanceof Undone)) throw error
    })
  return difference
}

type Result = { value: unknown } | { code: string }

const playBoth = async (
  tx: Transaction,
  model: ModelDatabase,
  { real, model: modelled }: Stores,
  { module, name, isUnordered }: Operation,
  args: unknown[],
): Promise<string | null> => {
  const call = (on: Transaction) => real.get(module)![name]!(on, ...args) as Promise<unknown>
  const expected = await resultOf(() => (mayFail.has(name) ? tx.savepoint(call) : call(tx)))
  const found = await resultOf(() => modelled.get(module)![name]!(directHandle(model), ...args) as Promise<unknown>)
  const [one, other] = [expected, found].map((result) =>
    JSON.stringify(plain('value' in result ? listOf(result.value) : result, isUnordered)),
  )
  return one === other ? null : `${name} answered\n  ${one} by PostgreSQL, and\n  ${other} by the model`
}

const listOf = (value: unknown): unknown => (Array.isArray(value) ? [...value] : value)

/** What a query answers page by page, as one list. */
const collected = async (value: unknown): Promise<unknown> => {
  if (typeof value !== 'object' || value === null || !(Symbol.asyncIterator in value)) return value
  const all: unknown[] = []
  for await (const page of value as AsyncIterable<unknown[]>) all.push(...page)
  return all
}

const resultOf = async (work: () => Promise<unknown>): Promise<Result> => {
  try {
    return { value: await collected(await work()) }
  } catch (error) {
    const { code } = error as { code?: string }
    if (!code) throw error
    return { code: code.startsWith(brokenRule) ? brokenRule : code }
  }
}

/** If a group breaks several rules, PostgreSQL names the first in the order of its plan; the engine treats them alike. */
const brokenRule = '23'

const differenceOf = (real: Record<string, string[]>, model: Record<string, string[]>): string | null => {
  for (const [name, lines] of Object.entries(real)) {
    const others = model[name]!
    const missing = lines.filter((line) => !others.includes(line))
    const extra = others.filter((line) => !lines.includes(line))
    if (missing.length + extra.length === 0) continue
    return `${name} differ: PostgreSQL has\n  ${missing.join('\n  ')}\nand the model\n  ${extra.join('\n  ')}`
  }
  return null
}

const batchIds = [1_000_001n, 1_000_002n, 1_000_003n]

/** Three batches of the same documents, as different as batches are; identifiers continue from where PostgreSQL is. */
const setScene = async (tx: Transaction, model: ModelDatabase, dice: Dice, at: Date): Promise<void> => {
  const [last] = await tx<{ lookup: bigint; snapshots: bigint }[]>`
    select (select last_value - case when is_called then 0 else 1 end from vigia.lookup_id_seq) as lookup,
           (select last_value - case when is_called then 0 else 1 end from vigia.list_snapshot_id_seq) as snapshots`
  model.numberFrom(last!.lookup, last!.snapshots)
  const batches = batchIds.map((id) => {
    const batch = {
      id,
      organizationId: 7001,
      kind: 'analysis' as const,
      state: dice.pick(['running', 'running', 'unconfirmed'] as const),
      current: true,
      pausedAt: dice.chance(0.2) ? at : null,
      maxSpend: dice.pick([null, 2, 100]),
      confirmAbove: dice.pick([null, null, 1, 10]),
      hasFile: true,
      sweepId: null,
      rows: 3,
      rejected: 0,
      toBePaid: dice.below(4),
      adopted: 0,
      counted: dice.chance(0.8),
      spent: dice.below(2),
      createdAt: at,
      importedAt: at,
      startedAt: null,
      finishedAt: null,
    }
    model.tables.batches.set(id, batch)
    return batch
  })
  await tx`
    insert into vigia.batch (id, organization_id, kind, source, name, file_id, state, paused_at, max_spend, confirm_above,
                             rows, to_be_paid, counted, spent, imported_at)
    overriding system value
    select b.id, 7001, 'analysis', 'cli', 'a', b.file_id, b.state, b.paused_at, b.max_spend, b.confirm_above, 3, b.to_be_paid,
           b.counted, b.spent, ${at}
      from json_to_recordset(${tx.json(batches.map(toJson) as never)}::json) as b (
        id bigint, file_id bigint, state text, paused_at timestamptz, max_spend int, confirm_above int, to_be_paid int,
        counted boolean, spent int)`
  await setSweepBatches(tx, model, at)
  await askRows(tx, model, dice, at)
  await setNights(tx, model, dice, at)
}

/** Batches of sweeps: they have neither a file nor rows. */
const setSweepBatches = async (tx: Transaction, model: ModelDatabase, at: Date): Promise<void> => {
  const result = { rows: 0, rejected: 0, toBePaid: 0, adopted: 0, counted: false, spent: 0 }
  const times = { pausedAt: null, createdAt: at, importedAt: null, startedAt: null, finishedAt: null }
  const limits = { maxSpend: 2, confirmAbove: null, hasFile: false, current: true }
  for (const { id, sweepId } of sweepBatches) {
    const of = { id, sweepId, organizationId: 7001, kind: 'analysis', state: 'running' } as const
    model.tables.batches.set(id, { ...of, ...limits, ...result, ...times })
    await tx`insert into vigia.batch (id, organization_id, kind, source, name, state, max_spend, sweep_id)
             overriding system value values (${id}, 7001, 'analysis', 'sweep', 'a', 'running', 2, ${sweepId})`
  }
}

/** Look-ups of those batches, and rows that wait for them. */
const askRows = async (tx: Transaction, model: ModelDatabase, dice: Dice, at: Date): Promise<void> => {
  const { askLookups: ask } = await import('../../../src/store/lookups/ask-lookups.ts')
  const { askLookups: askModel } = await import('../store/lookups/ask-lookups.ts')
  const handle = directHandle(model) as never
  const all: RowRecord[] = []
  const ofSweeps = sweepBatches.map(({ id }) => id)
  const asks: readonly bigint[] = dice.chance(0.3) ? [...ofSweeps, ...batchIds] : [...batchIds, ...ofSweeps]
  for (const batchId of asks) {
    const documents = ['10000000019', '10000000108', '10000000280', '10000000361']
      .filter(() => dice.chance(0.6))
      .slice(0, 3)
    const questions = documents.map((question) => ({ question, documentType: 'CPF' as const, label: null }))
    const deadlineAt = new Date(at.getTime() + 3_600_000)
    const asking = { organizationId: 7001, kind: 'analysis' as const, batchId, freshSince: at, deadlineAt, now: at }
    const asked = await ask(tx, questions, asking)
    await askModel(handle, questions, asking)
    if (!batchIds.includes(batchId)) continue
    const rows = asked.map(({ id, made }, i) => ({ batchId, line: i + 1, lookupId: id, pays: made, cancelled: false }))
    model.tables.rows.set(batchId, rows)
    all.push(...rows)
  }
  await tx`insert into vigia.batch_row (batch_id, line, start_at, size, lookup_id, pays)
           select r."batchId", r.line, 0, 1, r."lookupId", r.pays
             from json_to_recordset(${tx.json(all.map(textIds) as never)}::json) as r (
               "batchId" bigint, line int, "lookupId" bigint, pays boolean)`
}

const textIds = ({ batchId, lookupId, ...row }: RowRecord) => ({
  ...row,
  batchId: `${batchId}`,
  lookupId: `${lookupId}`,
})

const toJson = (b: BatchRecord, i: number) => ({
  id: `${b.id}`,
  file_id: i + 1,
  state: b.state,
  paused_at: b.pausedAt?.toISOString() ?? null,
  max_spend: b.maxSpend,
  confirm_above: b.confirmAbove,
  to_be_paid: b.toBePaid,
  counted: b.counted,
  spent: b.spent,
})
