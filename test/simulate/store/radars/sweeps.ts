import type { Coverage } from '../../../../src/domain/sweep.ts'
import { inEnglish, type Message } from '../../../../src/messages/message.ts'
import type { Sql } from '../../../../src/store/connect.ts'
import type { RunName, Sweep, SweepName } from '../../../../src/store/radars/sweeps.ts'
import { on } from '../handle.ts'
import type { SweepRecord } from '../tables.ts'

export const sweepNames = ['radars'] as const

type NewSweep = { name: RunName; slot: string; trigger: Sweep['trigger']; now: Date }

/** Null where another of that name has this slot, or is running: indexes `sweep_slot` and `sweep_alone`. */
export const insertSweep = async (sql: Sql, { name, slot, trigger, now }: NewSweep): Promise<bigint | null> =>
  on(sql, (database) => {
    const { sweeps } = database.tables
    const same = [...sweeps.values()].filter((sweep) => sweep.name === name)
    if (same.some((sweep) => sweep.slot === slot || sweep.state === 'running')) return null
    const id = BigInt(sweeps.size + 1)
    const result = { due: 0, verified: 0, changed: 0, detail: {}, failures: 0, finishedAt: null }
    database.put(sweeps, id, { id, name, slot, state: 'running', trigger, startedAt: now, ...result })
    return id
  })

type End = { state: 'done' | 'failed'; due?: number; verified?: number; changed?: number; detail: object; now: Date }

export const finishSweep = async (sql: Sql, id: bigint, end: End): Promise<boolean> =>
  on(sql, (database) => {
    const sweep = database.tables.sweeps.get(id)
    if (sweep?.state !== 'running') return false
    const { state, due = 0, verified = 0, changed = 0, detail, now } = end
    database.set(sweep, { state, due, verified, changed, detail: detail as Sweep['detail'], finishedAt: now })
    return true
  })

export const failSweep = (sql: Sql, id: bigint, { why, now }: { why: Message; now: Date }): Promise<boolean> =>
  finishSweep(sql, id, { state: 'failed', detail: { said: why }, now })

export const countFailure = async (sql: Sql, id: bigint): Promise<number> =>
  on(sql, (database) => {
    const sweep = database.tables.sweeps.get(id)
    if (sweep?.state !== 'running') return 0
    database.set(sweep, { failures: sweep.failures + 1 })
    return sweep.failures
  })

export const forgetFailures = (sql: Sql, id: bigint) =>
  on(sql, (database) => {
    const sweep = database.tables.sweeps.get(id)
    if (sweep && sweep.failures > 0) database.set(sweep, { failures: 0 })
    return []
  })

const shown = ({ failures: _, ...sweep }: SweepRecord): Sweep => sweep

export const readSweep = async (sql: Sql, id: bigint): Promise<Sweep | null> =>
  on(sql, ({ tables }) => {
    const sweep = tables.sweeps.get(id)
    return sweep ? shown(sweep) : null
  })

export const runningSweeps = (sql: Sql) =>
  on(sql, ({ tables }) => [...tables.sweeps.values()].filter(({ state }) => state === 'running').map(shown))

export const hasSlot = async (sql: Sql, name: SweepName, slot: string): Promise<boolean> =>
  on(sql, ({ tables }) => [...tables.sweeps.values()].some((sweep) => sweep.name === name && sweep.slot === slot))

type Schedule = { name: SweepName; expression: string; since: string }

export const registerSchedule = async (sql: Sql, { name, expression, since }: Schedule): Promise<string> =>
  on(sql, (database) => {
    const { schedules } = database.tables
    const known = schedules.get(name)
    const kept = known?.expression === expression ? known.since : since
    database.put(schedules, name, { expression, since: kept })
    return kept
  })

export const forgetSchedule = async (): Promise<never> => {
  throw new Error('The schedules of a history stay')
}

export const coverageOf = async (sql: Sql, sweepId: bigint): Promise<Coverage> =>
  on(sql, ({ tables }) => {
    const all = [...tables.radarSnapshots.values()].filter((s) => s.sweepId === sweepId)
    const changed = [...tables.changes.values()].filter((c) => c.sweepId === sweepId)
    const unverified: Record<string, number> = {}
    for (const { message } of all) {
      if (message !== null) unverified[inEnglish(message)] = (unverified[inEnglish(message)] ?? 0) + 1
    }
    return {
      due: all.length,
      verified: all.filter(({ verifiedAt }) => verifiedAt !== null).length,
      changed: new Set(changed.map(({ organizationId, document }) => `${organizationId}/${document}`)).size,
      unverified,
    }
  })
