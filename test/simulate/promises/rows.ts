import { listedAfterMs } from '../../../src/domain/advance.ts'
import { calmAfterMs } from '../run/calm.ts'
import { Violation } from '../run/violation.ts'
import type { History, WatchContext } from '../run/witness.ts'
import { rowOutcome } from '../store/rules.ts'
import type { LookupRecord } from '../store/tables.ts'

/** How long after everybody was set going again, and its deadline, a row may still be open. */
const graceMs = 3 * 60_000

/** Every row comes to one outcome by its deadline, its own, and not before it. */
export const createRowWatch = ({ plan, historyOf, excuse, nameOf }: WatchContext) => {
  let answersSeen = 0
  const checked = new WeakSet<object>()
  let over = false
  const ended = new Map<bigint, string>()
  const { deadlineMs } = plan.settings

  const checkAnswers = ({ model }: History): void => {
    const { answers, lookups } = model.tables
    if (answers.size === answersSeen) return
    answersSeen = answers.size
    for (const [id, answer] of answers) {
      if (checked.has(answer)) continue
      checked.add(answer)
      const lookup = lookups.get(id)
      const named = documentIn(answer)
      if (lookup && named !== null && named !== lookup.question) {
        throw new Violation(
          'mixed up',
          `the row of document ${nameOf(lookup.question)} has the answer of ${nameOf(named)}`,
        )
      }
    }
  }

  const checkEnd = (history: History, l: LookupRecord): void => {
    const { model, registry, database } = history
    const isDisturbed = database.rewound || database.clockMs !== 0
    if (l.state === 'timed_out' && !isDisturbed && model.now().getTime() < l.deadlineAt.getTime() - 2_000) {
      throw new Violation('early end', `document ${nameOf(l.question)} timed out before its deadline`)
    }
    if (l.state !== 'not_found') return
    const standing = registry.standing(l.question, l.kind as 'cnh', l.organizationId)
    if (standing.some(({ isOurs }) => isOurs) && !isDisturbed) {
      throw new Violation(
        'answer denied',
        `document ${nameOf(l.question)} ended as not found; the registry has its answer`,
      )
    }
  }

  const checkEnds = (history: History): void => {
    for (const l of history.model.tables.lookups.values()) {
      if (l.finishedAt === null) {
        if (ended.size > 0) ended.delete(l.id)
      } else if (ended.get(l.id) !== l.state) {
        ended.set(l.id, l.state)
        checkEnd(history, l)
      }
    }
  }

  const isDone = ({ model, plan: { files } }: History): boolean => {
    const { batches, intents, lookups, sweeps } = model.tables
    for (const sweep of sweeps.values()) if (sweep.state === 'running') return false
    if (batches.size < files.length || intents.size > 0) return false
    for (const b of batches.values()) if (b.finishedAt === null) return false
    for (const l of lookups.values()) if (l.finishedAt === null) return false
    return true
  }

  const horizon = calmAfterMs + 3 * deadlineMs + graceMs
  let steps = 0
  let isUnchecked = true

  return {
    look(isChanged: boolean): void {
      const history = historyOf()
      if (isChanged) checkAnswers(history)
      isUnchecked ||= isChanged
      if (++steps % 32 !== 0) return
      if (isUnchecked) checkEnds(history)
      isUnchecked = false
      const passed = history.schedule.now - history.startedAt
      over = passed > horizon || (passed > lastIncident(plan) && isDone(history))
    },
    isOver: () => over,
    end(): void {
      const history = historyOf()
      checkEnds(history)
      checkRows(history)
      checkParked(history)
    },
  }

  function checkRows({ model, database }: History): void {
    const { rows, lookups, batches } = model.tables
    for (const [id, own] of rows) {
      const batch = batches.get(id)!
      for (const row of own) {
        const lookup = lookups.get(row.lookupId)!
        if (rowOutcome(row, lookup) !== 'pending') continue
        throw new Violation(
          'left open',
          `document ${nameOf(lookup.question)} is still ${lookup.state} long after its deadline`,
        )
      }
      if (!batch.finishedAt && !database.rewound)
        throw new Violation('left open', `batch ${id} is still ${batch.state}`)
      const counted = [...(model.tables.counts.get(id)?.values() ?? [])].reduce((sum, count) => sum + count, 0)
      if (counted !== batch.rows) throw new Violation('counts', `batch ${id} counts ${counted} of ${batch.rows} rows`)
    }
  }

  function checkParked({ model, registry }: History): void {
    for (const l of model.tables.lookups.values()) {
      if (l.state !== 'unknown_outcome') continue
      const reason = hiding(history(), l)
      if (reason) excuse(`parked: ${reason}`)
      else {
        const standing = registry.standing(l.question, l.kind as 'cnh', l.organizationId)
        const truth = standing.some(({ isOurs }) => isOurs) ? 'bought' : 'not bought'
        throw new Violation(
          'parked',
          `document ${nameOf(l.question)} is parked (${l.message?.[0]}); the list shows that it was ${truth}`,
        )
      }
    }
  }

  function history(): History {
    return historyOf()
  }
}

/** Why nobody could note what became of a call; null: the list could. */
const hiding = ({ plan, database, model }: History, l: LookupRecord): string | null => {
  const { page, figures, colleagues, lapses } = plan.registry
  if (page !== null) return 'the list is a page'
  if (figures !== 'roomy') return 'the list does not say that it is complete'
  if (lapses) return 'a list lacked one of ours'
  if (l.kind === 'cnh') return 'licences have no list'
  if (database.rewound) return 'the database lost commits'
  if (plan.incidents.some(({ is }) => blinding.includes(is))) return 'the list could not be read for long'
  if (colleagues.some(({ document }) => document !== undefined) && l.message?.[0] !== 'lost_unproven')
    return 'a colleague bought it'
  if (!isAnySurelyOurs(model, l)) return 'the list shows none that is surely ours'
  return isShort(plan, l) ? 'its deadline came first' : null
}

const isAnySurelyOurs = ({ tables }: History['model'], { organizationId, kind }: LookupRecord): boolean => {
  for (const l of tables.lookups.values()) {
    if (l.charged === 'yes' && l.remoteId !== null && l.organizationId === organizationId && l.kind === kind)
      return true
  }
  return false
}

/** Two lists, each of which must show what was bought after the last one, may take longer than the call had until it is parked. */
const isShort = ({ incidents, settings }: History['plan'], { sentAt, deadlineAt }: LookupRecord): boolean => {
  if (incidents.length > 0 && settings.deadlineMs < 5 * 60_000) return true
  const terms = { request: { timeout: settings.requestTimeoutMs }, purchases: { listLag: settings.listLagMs } }
  const parkedAt = Math.max(Number(sentAt), Number(deadlineAt)) + 60_000
  return Number(sentAt) + 2 * listedAfterMs(terms) + longestPauseMs > parkedAt
}

/** Between two lists, and until a worker has time to read them. */
const longestPauseMs = 30_000

const blinding = ['list_away', 'outage', 'token_dies', 'purchase_deleted', 'database_clock', 'lane']

const documentIn = (answer: { data?: unknown; summary?: { others: object } }): string | null => {
  const { of } = (answer.data ?? {}) as { of?: string }
  if (of) return of
  const named = Object.keys(answer.summary?.others ?? {}).find((key) => key.startsWith('OF_'))
  return named ? named.slice(3) : null
}

const lastIncident = ({ incidents, files, radars }: WatchContext['plan']): number =>
  Math.max(radars ? radars.untilMs + 1 : 0, ...incidents.map(({ at }) => at + 1), ...files.map(({ at }) => at + 1))
