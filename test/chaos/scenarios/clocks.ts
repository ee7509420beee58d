import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { ScenarioPatch } from '../../../src/sandbox/scenario.ts'
import { cpfs } from '../../support/documents.ts'
import type { Arena } from '../arena.ts'
import { check } from '../checker.ts'
import type { Random } from '../random.ts'
import { latency, outcomeOf, type Scenario, unlessCharged, unlessOk } from '../scenario.ts'
import { stepClock } from '../stepping-clock.ts'

const perDay = 60

/**
 * The wall clocks of a fleet step back and forth by up to a day while answers are lost: nothing is bought twice, no row
 * ends before its time, and the daily budget holds.
 */
export const clocks: Scenario = {
  name: 'clocks',
  size: '600 documents, steps of -120 s to +25 h in three workers; full: 3,000',
  async run({ open, random, full }) {
    const documents = full ? 3_000 : 600
    const scenario: ScenarioPatch = {
      ...latency(60, 50),
      faults: [
        { operation: 'generate', fault: 'hang', every: 11 },
        { operation: 'generate', fault: 'closedBefore', every: 17 },
      ],
    }
    const config = { purchases: { listLag: '500ms' } }
    await using arena = await open({ scenario, config })
    await arena.fleet.startMany(3)
    await arena.submit(cpfs(documents))
    const finished = arena.finished(300_000)
    const steps = await stepUntil(arena, random, finished)
    await finished
    const findings = await check(arena)

    await using capped = await open({ scenario, config: { ...config, budget: { perDay } } })
    await capped.fleet.startMany(3)
    await capped.submit(cpfs(2 * perDay))
    const held = capped.until(async () => (await capped.sql`select from vigia.lane where cause = 'budget'`).length > 0)
    await stepUntil(capped, random, held)
    await stepUntil(capped, random, pause(5_000))
    const { units } = await capped.sandbox.evidence()

    return outcomeOf(findings, { steps, [`of ${perDay} units a day`]: units.length }, [
      ...unlessOk(findings),
      unlessCharged(findings, documents),
      units.length > perDay && `${units.length} units were charged, the limit is ${perDay} a day`,
    ])
  },
}

/** Steps the clock of any worker repeatedly until the promise settles; returns how often. */
const stepUntil = async ({ fleet, home }: Arena, random: Random, end: Promise<unknown>): Promise<number> => {
  let isOver = false
  const over = end.finally(() => {
    isOver = true
  })
  over.catch(() => {})
  let steps = 0
  for (; !isOver; steps++) {
    await stepClock(
      join(home, 'vigia'),
      random.pick(fleet.alive).pid,
      random.pick([-120_000, -45_000, 0, 60_000, 90_000_000]),
    )
    await Promise.race([over, pause(random.between(50, 600))])
  }
  return steps
}
