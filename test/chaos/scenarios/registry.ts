import { setTimeout as pause } from 'node:timers/promises'
import type { ScenarioPatch } from '../../../src/sandbox/scenario.ts'
import { accounts } from '../../../src/sandbox/tokens.ts'
import { heldLanes, resumeLane } from '../../../src/store/fleet/lanes.ts'
import type { Arena } from '../arena.ts'
import { killSome, latency, play, type Scenario, unlessCharged } from '../scenario.ts'

// The registry breaks, refuses, or hides what was bought.

const [{ organizationId, planId }] = accounts

/** The reason for which a lane is held from now on. */
const untilHeld = (arena: Arena, wanted: string): Promise<void> =>
  arena.until(async () => (await heldLanes(arena.sql)).some(({ cause }) => cause === wanted))

/** How many look-ups have one of these codes in their history. */
const countHistories = async ({ sql }: Arena, codes: string[]): Promise<number> => {
  const [row] = await sql<[{ found: number }]>`
    select count(*)::int as found from vigia.lookup where exists (
      select from unnest(trace) as line where vigia.history_code(line) = any(${codes}))`
  return row.found
}

/** The registry is unavailable for a while: the lane is held, few calls are wasted on it, and it resumes by itself. */
export const outage: Scenario = {
  name: 'outage',
  size: '15 s of outage; full: 3 minutes',
  run(context) {
    const forMs = context.full ? 180_000 : 15_000
    return play(context, {
      ...{ workers: 3, documents: 600, scenario: latency(30, 20), finishedWithinMs: 300_000 },
      async meanwhile(arena) {
        await arena.until(async () => (await arena.sandbox.summary()).charges.total > 100)
        await arena.sandbox.set({ outage: { how: context.random.pick(['unavailable', 'closed'] as const), forMs } })
        await untilHeld(arena, 'outage')
        await pause(forMs)
        return { 's away': forMs / 1_000 }
      },
      judge({ evidence: { faults } }) {
        const wasted = faults.outage ?? 0
        const problems = [wasted > 300 && `${wasted} calls were spent on an unavailable registry`]
        return { figures: { 'calls met it': wasted }, problems }
      },
    })
  },
}

/** Longer than a refused renewal is remembered, so that the renewal is requested again meanwhile. */
const deadForMs = 50_000

/** The token expires and is not renewed: every lane is held, the workers answer, and all resume once it is renewed. */
export const tokenDies: Scenario = {
  name: 'token-dies',
  size: 'no token for 50 s, 300 documents, 2 workers',
  run: (context) =>
    play(context, {
      ...{ workers: 2, documents: 300, finishedWithinMs: 240_000 },
      scenario: { token: { expiresAfterCalls: 50, refuseRefresh: true }, ...latency(25, 20) },
      config: { request: { timeout: '5s', retries: 2 } },
      async meanwhile(arena) {
        await untilHeld(arena, 'token')
        await pause(deadForMs)
        const held = (await heldLanes(arena.sql)).length
        await arena.sandbox.set({ token: { expiresAfterCalls: null, refuseRefresh: false } })
        return { 'lanes held': held }
      },
      async judge({ evidence: { counts } }, arena) {
        await arena.until(async () => (await heldLanes(arena.sql)).length === 0, 30_000)
        const problems = [counts.refresh > 40 && `${counts.refresh} renewals were requested while all were refused`]
        return { figures: { renewals: counts.refresh }, problems }
      },
    }),
}

const life = 50

/** A token that is valid for fifty calls, for four workers: each expired one is renewed once, and no call fails. */
export const tokenExpires: Scenario = {
  name: 'token-expires',
  size: '500 documents, 4 workers, a token for 50 calls',
  run: (context) =>
    play(context, {
      ...{ workers: 4, documents: 500 },
      scenario: { token: { expiresAfterCalls: life }, ...latency(25, 20) },
      config: { request: { timeout: '5s', retries: 2 } },
      async judge({ evidence: { requests, counts } }, arena) {
        const renewals = counts.refresh
        const isServed = (status: number | null) => status !== null && status < 300
        const served = requests.filter((each) => each.operation !== 'refresh' && isServed(each.status)).length
        const stumbled = await countHistories(arena, ['no_answer', 'not_sent', 'refused', 'held'])
        const problems = [
          renewals < 10 && `only ${renewals} renewals: the scenario proves little`,
          served < renewals * life && `${renewals} renewals for ${served} calls: a token was renewed before it expired`,
          stumbled > 0 && `${stumbled} look-ups had a failed call`,
        ]
        return { figures: { renewals, 'calls served': served }, problems }
      },
    }),
}

/** The plan runs out half-way: the lane stops within the bound, and after the refill exactly the rest is bought. */
export const planRunsOut: Scenario = {
  name: 'plan-runs-out',
  size: '1,000 documents, 200 units; full: 5,000 and 1,000',
  run(context) {
    const { units, documents } = context.full ? { units: 1_000, documents: 5_000 } : { units: 200, documents: 1_000 }
    let [before, refused] = [0, 0]
    return play(context, {
      ...{ workers: 4, documents, finishedWithinMs: 300_000 },
      scenario: { plans: { [planId]: { units } }, ...latency(30, 20) },
      async meanwhile(arena) {
        await untilHeld(arena, 'plan')
        await arena.until(() => isQuiet(arena))
        const { refusals, charges } = await arena.sandbox.summary()
        before = charges.total
        refused = refusals.PLAN_NOT_ALLOWED ?? 0
        await arena.sandbox.set({ plans: {} })
        await resumeLane(arena.sql, { organizationId, kind: 'analysis' })
        return { 'refused calls': refused }
      },
      judge: (findings, { most }) => ({
        problems: [
          before !== units && `${before} charges under a plan of ${units}`,
          refused > most && `${refused} calls were refused, the bound is ${most}`,
          unlessCharged(findings, documents),
        ],
      }),
    })
  },
}

const isQuiet = async ({ sql }: Arena): Promise<boolean> => {
  const open = await sql`
    select from vigia.lookup
     where state in ('sending', 'waiting') or exists (select from vigia.claim) or exists (select from vigia.intent) limit 1`
  return open.length === 0
}

/** Analyses that never finish: every look-up ends at its deadline, and none of them counts as done. */
export const neverReady: Scenario = {
  name: 'never-ready',
  size: '1,000 documents',
  run: (context) =>
    play(context, {
      ...{ workers: 2, documents: 1_000, mayEnd: ['timed_out'] },
      scenario: { faults: [{ operation: 'generate', fault: 'stuckForever' }] },
      config: { polling: { first: '500ms', max: '4s', deadline: '25s' } },
      async judge({ records: { states } }, { sql }) {
        const timedOut = states.timed_out ?? 0
        const [late] = await sql<[{ ms: number }]>`
          select coalesce(extract(epoch from max(finished_at - deadline_at)) * 1000, 0)::int as ms from vigia.lookup`
        return {
          figures: { 'timed out': timedOut, 'ms after the deadline at most': late.ms },
          problems: [timedOut !== 1_000 && `${1_000 - timedOut} look-ups did not end as timed out`],
        }
      },
    }),
}

const refusingAnswers = [
  { status: 200, body: '{"success":false,"reason":"Tente mais tarde"}' },
  { status: 400, body: '{"message":"Requisição inválida","error":"BadRequest"}' },
  { status: 402, body: '{"message":"Saldo esgotado"}' },
  { status: 409, body: '{"message":"Em processamento"}' },
  { status: 429, body: '{"message":"Too many requests"}' },
]

/** Every sixth call is refused, half of these after they were charged. */
const refusing: ScenarioPatch['faults'] = refusingAnswers.flatMap((answer, i) =>
  [true, false].map((worked) => ({
    ...{ operation: 'generate' as const, fault: 'reply' as const, worked, share: 0.02 + 0.002 * i },
    ...answer,
  })),
)

/** A registry that refuses calls, some after charging: each document is paid once, and none is left without an answer. */
export const refusals: Scenario = {
  name: 'refusals',
  size: '600 documents, 5 kills; full: 3,000, 40 kills',
  run(context) {
    const { documents, kills } = context.full ? { documents: 3_000, kills: 40 } : { documents: 600, kills: 5 }
    return play(context, {
      ...{ workers: 3, documents, finishedWithinMs: 300_000 },
      scenario: { faults: refusing, ...latency(20, 15) },
      config: { purchases: { listLag: '500ms' } },
      async meanwhile(arena) {
        await killSome(arena, context.random, kills, [200, 900])
        return { kills }
      },
      judge: (findings) => ({ problems: [unlessCharged(findings, documents)] }),
    })
  },
}

/** Answers are lost, and the list that would show the purchases is cut: rows are parked, and nothing is bought again. */
export const truncatedList: Scenario = {
  name: 'truncated-list',
  size: '60 documents, 20 answers lost',
  run: (context) =>
    play(context, {
      ...{ workers: 2, documents: 60, mayEnd: ['unknown_outcome'] },
      scenario: {
        activities: { limit: 1, keep: 'oldest' },
        faults: [{ operation: 'generate', fault: 'hang', every: 2, after: 10, times: 20 }],
      },
      judge: ({ records: { parked } }) => ({
        problems: [parked !== 20 && `${parked} rows are parked, 20 answers were lost`],
      }),
    }),
}

const hung = 500

/**
 * Five hundred purchases are made and no answer arrives: each is found in the registry's list, none is bought again.
 *
 * Every other call is answered, and few are open at once: if no call were answered, that would be an outage.
 */
export const workedThenHung: Scenario = {
  name: 'worked-then-hung',
  size: '1,000 documents, 500 answers lost',
  run: (context) =>
    play(context, {
      ...{ workers: 3, documents: 2 * hung, finishedWithinMs: 240_000 },
      scenario: { faults: [{ operation: 'generate', fault: 'hang', every: 2, times: hung }] },
      config: { concurrency: { worker: 6, fleet: 16 }, request: { timeout: '1s', retries: 0 } },
      async judge(findings, arena) {
        const adopted = await countHistories(arena, ['adopted'])
        const problems = [
          unlessCharged(findings, 2 * hung),
          adopted !== hung && `${adopted} of ${hung} lost purchases were adopted`,
        ]
        return { figures: { adopted }, problems }
      },
    }),
}
