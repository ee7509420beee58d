import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import fc from 'fast-check'
import { exportBatch } from '../../../src/batches/export.ts'
import { cancelBatch, pauseBatch, resumeBatch } from '../../../src/batches/pause-resume-cancel.ts'
import { retryableStates, retryBatch } from '../../../src/batches/retry.ts'
import { accounts } from '../../../src/sandbox/tokens.ts'
import { resumeLane } from '../../../src/store/fleet/lanes.ts'
import { cpf } from '../../support/documents.ts'
import type { Arena } from '../arena.ts'
import { missingRows } from '../check-files.ts'
import { checkConserved, readFiles } from '../report-files.ts'
import { resolveParked, steeringOf, unlessRefused } from './person.ts'

/** Everything that determines what a set of files must have become in the end. */
export type Model = {
  batches: { rows: string[]; cancelled: boolean; everCancelled: boolean }[]
  /** The names of the steps that were taken. */
  taken: string[]
}

type Command = fc.AsyncCommand<Model, Arena>

const [{ organizationId, planId }] = accounts

const command = (name: string, run: Command['run'], check: (model: Model) => boolean = () => true): Command => ({
  check,
  run: (model, arena) => {
    model.taken.push(name.replace(/\(.*/, ''))
    return run(model, arena)
  },
  toString: () => name,
})

const onBatch = (
  name: string,
  pick: number,
  run: (model: Model, arena: Arena, at: number) => Promise<unknown>,
): Command =>
  command(
    `${name}(${pick})`,
    async (model, arena) => void (await run(model, arena, pick % model.batches.length)),
    ({ batches }) => batches.length > 0,
  )

const submit = (rows: string[]) =>
  command(`submit(${rows.length} rows)`, async (model, arena) => {
    await arena.submit(rows)
    model.batches.push({ rows, cancelled: false, everCancelled: false })
  })

const dropAgain = (pick: number) =>
  onBatch('drop again', pick, async ({ batches }, arena, at) => {
    const before = arena.submitted[at]!
    const { batchId } = await arena.submitAgain(before)
    if (batchId === before.batchId) return
    if (!batches[at]!.everCancelled)
      throw new Error(`The same bytes as batch ${before.batchId} became batch ${batchId}`)
    if (arena.submitted.length > batches.length)
      batches.push({ rows: batches[at]!.rows, cancelled: false, everCancelled: false })
  })

const cancel = (pick: number) =>
  onBatch('cancel', pick, async ({ batches }, arena, at) => {
    const { batchId } = arena.submitted[at]!
    if (!(await unlessRefused(cancelBatch(arena.sql, batchId, steeringOf(arena))))) return
    batches[at]!.cancelled = true
    batches[at]!.everCancelled = true
  })

const retry = (pick: number) =>
  onBatch('retry', pick, async ({ batches }, arena, at) => {
    const { batchId } = arena.submitted[at]!
    const freshSince = new Date(Date.now() - 86_400_000)
    const again = { ...steeringOf(arena), states: retryableStates, freshSince, adopts: true }
    if (await unlessRefused(retryBatch(arena.sql, batchId, again))) batches[at]!.cancelled = false
  })

const steer = (name: string, action: typeof pauseBatch) => (pick: number) =>
  onBatch(name, pick, (_, arena, at) =>
    unlessRefused(action(arena.sql, arena.submitted[at]!.batchId, steeringOf(arena))),
  )

const kill = (_: number) => command('kill', async (_model, { fleet }) => void (await killFirst(fleet)))

const killFirst = async ({ alive, kill: end }: Arena['fleet']): Promise<void> => {
  if (alive[0]) await end(alive[0])
}

const restart = (_: number) =>
  command('restart', async (_model, { fleet }) => {
    if (fleet.alive.length < 2) await (await fleet.start()).ready
  })

const expire = (calls: number) =>
  command(`expire(${calls + 5} calls)`, async (_model, { sandbox }) =>
    sandbox.set({ token: { expiresAfterCalls: calls + 5 } }),
  )

const exhaust = (more: number) =>
  command(`exhaust(${more} more)`, async (_model, { sandbox }) => {
    const { charges } = await sandbox.summary()
    await sandbox.set({ plans: { [planId]: { units: charges.total + more } } })
  })

const refill = (_: number) =>
  command('refill', async (_model, { sandbox, sql }) => {
    await sandbox.set({ plans: {} })
    await resumeLane(sql, { organizationId, kind: 'analysis' })
  })

const loseAnswers = (every: number) =>
  command(`lose answers(every ${every + 3})`, async (_model, { sandbox }) =>
    sandbox.set({ faults: [{ operation: 'generate', fault: 'closedAfter', every: every + 3 }] }),
  )

const cutList = (limit: number) =>
  command(`cut list(${limit})`, async (_model, { sandbox }) => sandbox.set({ activities: { limit, keep: 'oldest' } }))

const resolve = (_: number) => command('resolve', async (_model, arena) => void (await resolveParked(arena)))

/** A report at any moment: it adds up as the last one will. */
const look = (pick: number) =>
  onBatch('look', pick, async (_, arena, at) => {
    const submitted = arena.submitted[at]!
    const { batchId, name, documents } = submitted
    const folder = join(arena.home, 'looked', `${batchId}`)
    const settings = { timezone: 'UTC', language: 'pt-BR' as const, budget: { unitPrice: null } }
    const options = { folder, now: new Date(), settings }
    if (!(await unlessRefused(exportBatch(arena.sql, batchId, options)))) return
    const files = await readFiles(folder, name)
    const missing = missingRows(submitted, files)
    const problems = [...checkConserved(files, documents.length), ...(missing > 0 ? [`${missing} rows are lost`] : [])]
    if (problems.length > 0) throw new Error(`Batch ${batchId} as it stands: ${problems.join(', ')}`)
  })

const wait = (ms: number) => command(`wait(${ms * 20} ms)`, () => pause(ms * 20))

const any = fc.nat(60)
/** Some people appear more than once, and some cells are not documents. */
const row = fc.oneof(
  { weight: 6, arbitrary: fc.nat(60).map(cpf) },
  { weight: 1, arbitrary: fc.constantFrom('', 'junk', '11111111111', '12345678900', '1,2E+10', '=1+1') },
)
const rows = fc.array(row, { minLength: 1, maxLength: 25 })

export const commands = [
  rows.map(submit),
  rows.map(submit),
  ...[dropAgain, cancel, retry, kill, restart, expire, exhaust, refill, loseAnswers, cutList, resolve, look, wait].map(
    (make) => any.map(make),
  ),
  any.map(steer('pause', pauseBatch)),
  any.map(steer('resume', resumeBatch)),
]

/** The steps that a run may consist of, by name. */
export const commandNames = [
  ...['submit', 'drop again', 'cancel', 'retry', 'kill', 'restart', 'expire', 'exhaust', 'refill'],
  ...['lose answers', 'cut list', 'resolve', 'look', 'wait', 'pause', 'resume'],
]
