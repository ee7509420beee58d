import { CallFailure } from '../../../src/domain/call-failure.ts'
import type { OpenRequest } from '../outside/network.ts'
import type { Plan } from '../plan/plan.ts'
import { createBoundWatch } from '../promises/bound.ts'
import { createErasureWatch } from '../promises/erasures.ts'
import { createHoldWatch } from '../promises/holds.ts'
import { createMoneyWatch } from '../promises/money.ts'
import { checkNights } from '../promises/nights.ts'
import { createRowWatch } from '../promises/rows.ts'
import { numberOf, type Question, type Reception } from '../registry/model-registry.ts'
import type { Purchase } from '../registry/purchase-list.ts'
import { DatabaseError } from '../store/database.ts'
import type { Actor } from '../time/schedule.ts'
import type { History } from './history.ts'
import { Violation } from './violation.ts'

export type { History }

/** Watches every step of a history, and records it where somebody listens. */
export type Witness = {
  lines: string[]
  /** How often the registry lied in a way that docs/limits.md names, and something was paid again for it. */
  exempt: Map<string, number>
  note(text: string): void
  nameOf(document: string): string
  sent(worker: Actor, question: Question, isPaid: boolean): OpenRequest & { end(): void }
  received(question: Question, reception: Reception): void
  charged(purchase: Purchase): void
  hid(purchases: readonly Purchase[]): void
  /** A worker logged an error: nothing but the database and the registry may fail. */
  failed(error: unknown): void
  crashed(worker: Actor): void
  rewound(to: number): void
  dropped(document: string): void
  erased(document: string): void
  charges(): number
  /** Looks at what the last step left. */
  look(): void
  isOver(): boolean
  end(): void
}

export const createWitness = (plan: Plan, historyOf: () => History, records: boolean): Witness => {
  const lines: string[] = []
  const exempt = new Map<string, number>()
  const nameOf = (document: string): string => `${numberOf.get(document) ?? document}`
  const note = (text: string): void => {
    if (!records) return
    const { schedule, startedAt } = historyOf()
    lines.push(`${((schedule.now - startedAt) / 1_000).toFixed(3).padStart(9)} s  ${text}`)
  }
  const context = {
    plan,
    historyOf,
    note,
    nameOf,
    excuse: (name: string) => void exempt.set(name, (exempt.get(name) ?? 0) + 1),
  }
  const money = createMoneyWatch(context)
  const bound = createBoundWatch(context)
  const holds = createHoldWatch(context)
  const rows = createRowWatch(context)
  const erasures = createErasureWatch(context)
  let seen = -1
  /** What breaks a promise inside of a worker must not be taken for a failure of its own. */
  let broken: Violation | null = null
  const noting = (check: () => void): void => {
    try {
      check()
    } catch (error) {
      if (!(error instanceof Violation)) throw error
      broken ??= error
    }
  }
  return {
    lines,
    exempt,
    note,
    nameOf,
    sent(worker, question, isPaid) {
      noting(() => {
        if (isPaid) money.sent(worker, question)
        holds.sent(worker, question)
      })
      const { request, violation } = bound.sent(worker)
      broken ??= violation
      return request
    },
    received(question, reception) {
      noting(() => holds.received(question, reception))
      if (!records) return
      const { body, at, path } = question
      const document = body?.documentNumber ?? body?.document ?? at?.document
      const status = reception.is === 'answered' ? reception.answer.status : reception.is
      note(`registry: ${path}${document ? ` for document ${nameOf(String(document))}` : ''}: ${status}`)
    },
    charged(purchase) {
      note(`registry charges document ${nameOf(purchase.document)} (purchase ${purchase.id})`)
      noting(() => money.charged(purchase))
    },
    failed(error) {
      if (
        !(error instanceof Error) ||
        error instanceof CallFailure ||
        (error instanceof DatabaseError && !error.code.startsWith('23'))
      )
        return
      broken ??= error instanceof Violation ? error : new Violation('fault', `a step failed: ${error.stack}`)
    },
    hid: money.hid,
    crashed: bound.crashed,
    rewound(to) {
      money.rewound(to)
      erasures.rewound()
    },
    erased(document) {
      erasures.erased(document)
      money.erased(document)
    },
    dropped: money.dropped,
    charges: money.charges,
    look() {
      if (broken) throw broken
      const { version } = historyOf().model
      const isChanged = version !== seen
      seen = version
      rows.look(isChanged)
      // What it looks at is as it was.
      if (isChanged) {
        money.look()
        holds.look()
      }
      erasures.look()
    },
    isOver: rows.isOver,
    end() {
      rows.end()
      money.end()
      erasures.end()
      checkNights(historyOf(), context)
    },
  }
}

export type WatchContext = {
  plan: Plan
  historyOf: () => History
  note(text: string): void
  nameOf(document: string): string
  /** Counts something that a named limit explains. */
  excuse(name: string): void
}
