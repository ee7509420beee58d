import { BatchRefusal } from '../../../src/batches/batch-or-refuse.ts'
import {
  cancelBatch,
  confirmBatch,
  endCancelled,
  pauseBatch,
  resumeBatch,
  type Steering,
} from '../../../src/batches/pause-resume-cancel.ts'
import { resolveRow } from '../../../src/batches/resolve.ts'
import { limitBatch, retryableStates, retryBatch } from '../../../src/batches/retry.ts'
import { eraseDocument } from '../../../src/monitoring/erase-document.ts'
import { closeSweepBatches } from '../../../src/monitoring/finish-radar-sweep.ts'
import { SweepRefusal } from '../../../src/monitoring/sweep.ts'
import type { Database, Sql, Transaction } from '../../../src/store/connect.ts'
import { cpf } from '../../support/documents.ts'
import { releaseOrphans } from '../outside/boss-tables.ts'
import type { File, Incident } from '../plan/plan.ts'
import { needsApproval } from '../store/batches/batch-actions.ts'
import { insertBatchIn } from '../store/batches/batches.ts'
import { findUncountedBatches, recount } from '../store/batches/counts.ts'
import { assignPayers, findHalfCancelled } from '../store/batches/payers.ts'
import { holdLane, resumeLane, tryLaneWithNew } from '../store/fleet/lanes.ts'
import { directHandle, on, transaction } from '../store/handle.ts'
import { askLookups } from '../store/lookups/ask-lookups.ts'
import { adoptBought } from '../store/purchases/adopt-bought.ts'
import { type Actor, createActor } from '../time/schedule.ts'
import type { History } from './history.ts'
import { dayOf } from './worker.ts'

type Action = Extract<Incident, { is: 'batch' | 'lane' | 'settle' | 'erase' }>

/** The people of a history: they submit files and do with them what operators do. */
export type Operators = {
  actor: Actor
  submit(number: number, file: File): void
  act(action: Action): void
  /** At last everything is set going again that somebody stopped. */
  tidyUp(): void
}

const mostTries = 20

export const createOperators = (history: History): Operators => {
  const { model, schedule, plan, witness, registry } = history
  const actor = createActor('operator')
  const sql = directHandle(model) as unknown as Database
  const batches: bigint[] = []
  const { deadlineMs, freshnessMs, adopt } = plan.settings
  const clock = (): Date => model.now()
  const steering = (): Steering => ({ by: 'operator', now: clock(), deadlineMs, finished: async () => {} })

  const submit = (number: number, file: File): void => {
    const now = clock()
    const freshSince = new Date(now.getTime() - freshnessMs)
    const deadlineAt = new Date(now.getTime() + deadlineMs)
    void transaction(model, async (handle) => {
      const tx = handle as unknown as Transaction
      const { organizationId, kind, maxSpend, confirmAbove, documents } = file
      const id = await on(tx, (db) =>
        insertBatchIn(db, { organizationId, kind, maxSpend, confirmAbove, hasFile: true }),
      )
      batches[number] = id
      const questions = documents.map((n) => ({ question: cpf(n), documentType: 'CPF' as const, label: null }))
      const asked = await askLookups(tx, questions, { organizationId, kind, batchId: id, freshSince, deadlineAt, now })
      const byQuestion = new Map(asked.map((each) => [each.question, each]))
      await on(tx, (db) => {
        const rows = questions.map(({ question }, i) => {
          const each = byQuestion.get(question)!
          return { batchId: id, line: i + 1, lookupId: each.id, pays: each.made, cancelled: false }
        })
        db.put(db.tables.rows, id, rows)
        const toBePaid = asked.filter(({ made, payable }) => made && payable).length
        db.set(db.tables.batches.get(id)!, { rows: rows.length, toBePaid })
      })
      await assignPayers(tx, { batch: id }, deadlineAt)
      if (adopt) await adoptBought(tx, { batchId: id }, { of: 'any', freshSince, deadlineAt, now })
      await on(tx, (db) => {
        const batch = db.tables.batches.get(id)!
        const waits = needsApproval(batch, batch.toBePaid, batch.maxSpend)
        db.set(batch, { state: waits ? 'unconfirmed' : 'running', importedAt: now, startedAt: waits ? null : now })
      })
      const { state } = model.tables.batches.get(id)!
      if (state === 'unconfirmed') await assignPayers(tx, { batch: id })
      else await tryLaneWithNew(tx, { organizationId, kind }, now)
      await recount(tx, id, now)
      witness.note(`file ${number + 1} asks for ${documents.length} documents (${kind})`)
    })
  }

  const attempt = (work: Promise<unknown>): void =>
    void work.catch((error) => {
      if (!(error instanceof BatchRefusal)) throw error
    })

  const retry = (id: bigint) =>
    retryBatch(sql, id, {
      ...steering(),
      states: retryableStates,
      freshSince: new Date(clock().getTime() - freshnessMs),
      adopts: adopt,
    })

  const settle = async (how: 'truth' | 'drop'): Promise<void> => {
    for (const rows of [...model.tables.rows.values()]) {
      for (const { batchId, line, lookupId, cancelled } of [...rows]) {
        const lookup = model.tables.lookups.get(lookupId)
        if (cancelled || lookup?.state !== 'unknown_outcome') continue
        const { question, kind, organizationId } = lookup
        const standing = registry.standing(question, kind as 'analysis' | 'cnh', organizationId)
        const free = standing.filter(({ id }) => !isTaken(String(id)))
        const resolution = how === 'drop' ? 'drop' : free[0] ? { adopt: String(free[0].id) } : 'resend'
        if (resolution === 'resend' && standing.some(({ isOurs }) => isOurs)) continue
        if (resolution === 'drop') witness.dropped(question)
        witness.note(`an operator settles document ${witness.nameOf(question)}: ${JSON.stringify(resolution)}`)
        const purchases = async () => standing.map(({ id, uniqueId }) => ({ id: String(id), key: String(uniqueId) }))
        attempt(resolveRow(sql, batchId, { line }, resolution, { ...steering(), today: dayOf, purchases }))
      }
    }
  }

  /** Again where a paid call is under way. */
  const erase = (number: number, tries: number): void => {
    const document = cpf(number)
    const tools = { sql, clock, home: {}, boss: {} } as unknown as Parameters<typeof eraseDocument>[0]
    const erased = eraseDocument(tools, document, 'operator').then(
      () => {
        witness.note(`an operator erases document ${number}`)
        witness.erased(document)
      },
      (error) => {
        if (!(error instanceof SweepRefusal)) throw error
        if (tries > 1) schedule.at(schedule.now + 5_000, actor, () => erase(number, tries - 1))
      },
    )
    attempt(erased)
  }

  const isTaken = (remoteId: string): boolean =>
    [...model.tables.lookups.values()].some((l) => l.remoteId === remoteId) ||
    [...model.tables.purchases.values()].some((p) => p.remoteId === remoteId && p.lookupId !== null)

  const actions = {
    pause: (id: bigint) => pauseBatch(sql, id, steering()),
    resume: (id: bigint) => resumeBatch(sql, id, steering()),
    cancel: (id: bigint) => cancelBatch(sql, id, steering()),
    confirm: (id: bigint) => confirmBatch(sql, id, steering()),
    retry,
    limit: (id: bigint) => limitBatch(sql, id, { maxSpend: null, by: 'operator' }),
  }

  /** What the job of unfinished work does every ten minutes. */
  const setGoing = async (): Promise<void> => {
    const now = clock()
    await releaseOrphans(sql)
    for (const { id } of await findHalfCancelled(sql)) await sql.begin((tx) => endCancelled(tx, id, now))
    await assignPayers(sql)
    await closeSweepBatches(sql, now)
    for (const { id } of await findUncountedBatches(sql)) await sql.begin((tx) => recount(tx, id, now))
  }

  const heal = async (): Promise<void> => {
    const now = clock()
    for (const lane of [...model.tables.lanes.values()]) {
      if (lane.cause === 'operator' || lane.cause === 'plan' || lane.cause === 'denied')
        await resumeLane(sql as Sql, lane)
    }
    for (const b of [...model.tables.batches.values()]) {
      if (b.finishedAt) continue
      if (b.pausedAt) attempt(actions.resume(b.id))
      if (b.state === 'unconfirmed') attempt(confirmBatch(sql, b.id, { ...steering(), now }))
    }
    await setGoing()
  }

  return {
    actor,
    submit,
    act(action) {
      if (action.is === 'settle') return void settle(action.how)
      if (action.is === 'erase') return erase(action.document, mostTries)
      if (action.is === 'lane') {
        const lane = { organizationId: 7001, kind: action.kind }
        witness.note(`an operator ${action.action}s lane ${lane.organizationId}/${lane.kind}`)
        const hold = { cause: 'operator', reason: ['held_by_hand'], trialAt: null } as const
        return void (action.action === 'hold'
          ? holdLane(sql, lane, { ...hold, reason: ['held_by_hand'] }, clock())
          : resumeLane(sql, lane))
      }
      const id = batches[action.file]
      if (id === undefined || !model.tables.batches.has(id)) return
      witness.note(`an operator does "${action.action}" to file ${action.file + 1}`)
      attempt(actions[action.action](id))
    },
    tidyUp() {
      witness.note('operators set everything going again')
      history.workers.heal()
      void heal()
      const again = (): void => {
        void heal()
        schedule.at(schedule.now + 60_000, actor, again)
      }
      schedule.at(schedule.now + 60_000, actor, again)
    },
  }
}
