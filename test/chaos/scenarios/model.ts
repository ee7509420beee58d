import fc from 'fast-check'
import { resumeBatch } from '../../../src/batches/pause-resume-cancel.ts'
import { readDocument } from '../../../src/domain/document.ts'
import { accounts } from '../../../src/sandbox/tokens.ts'
import { resumeLane } from '../../../src/store/fleet/lanes.ts'
import type { Arena } from '../arena.ts'
import { check } from '../checker.ts'
import { commandNames, commands, type Model } from '../model/commands.ts'
import { resolveParked, steeringOf, unlessRefused } from '../model/person.ts'
import { latency, type Scenario } from '../scenario.ts'

/**
 * Actions and accidents in any order: submit, kill, restart, expire, exhaust, drop again, pause, cancel, retry, resolve.
 *
 * At every moment a report adds up to the rows of its file. Once all faults are removed, every person of a file that was
 * not cancelled has been bought once, and the last reports have the counts of the tables.
 */
export const model: Scenario = {
  name: 'model',
  size: '8 sequences of up to 30 steps; full: 60',
  async run({ open, seed, full }) {
    const runs = { seed, numRuns: full ? 60 : 8, endOnFailure: true, unbiased: true }
    const taken: string[] = []
    let done = 0
    const course = fc.asyncProperty(fc.commands(commands, { maxCommands: 30, size: 'max' }), async (steps) => {
      await using arena = await open({ scenario: latency(15, 10) })
      const remembered: Model = { batches: [], taken }
      await arena.fleet.startMany(1)
      await fc.asyncModelRun(() => ({ model: remembered, real: arena }), steps)
      await clearTheWay(arena)
      const problems = [...(await check(arena)).problems, ...(await checkModel(arena, remembered))]
      if (problems.length > 0) throw new Error(problems.join('\n     '))
      done++
    })
    await fc.assert(course, runs)
    const never = commandNames.filter((name) => !taken.includes(name))
    return {
      problems: full && never.length > 0 ? [`no course had a step ${never.join(', ')}`] : [],
      figures: { courses: done, steps: taken.length, 'kinds of steps': new Set(taken).size },
    }
  },
}

const clearTheWay = async (arena: Arena): Promise<void> => {
  const { sql, sandbox, fleet, submitted } = arena
  await sandbox.set({ faults: [], plans: {}, activities: {}, token: {} })
  await resumeLane(sql, { organizationId: accounts[0].organizationId, kind: 'analysis' })
  for (const { batchId } of submitted) await unlessRefused(resumeBatch(sql, batchId, steeringOf(arena)))
  if (fleet.alive.length === 0) await fleet.startMany(1)
  do await arena.finished()
  while ((await resolveParked(arena)) > 0)
}

const checkModel = async ({ sandbox, submitted, sql }: Arena, { batches }: Model): Promise<string[]> => {
  const charged = new Set((await sandbox.evidence()).units.map(({ document }) => document))
  const wanted = new Set(batches.filter(({ cancelled }) => !cancelled).flatMap(({ rows }) => rows.filter(isPerson)))
  const missing = [...wanted].filter((document) => !charged.has(document)).length
  const problems = missing > 0 ? [`${missing} people of files that were not cancelled were never asked`] : []
  for (const [at, { cancelled }] of batches.entries()) {
    const { batchId } = submitted[at]!
    const counts = await sql<{ state: string; rows: number }[]>`
      select state, rows from vigia.batch_count where batch_id = ${batchId}`
    const bad = counts.filter(
      ({ state }) => !['ok', 'rejected'].includes(state) && !(cancelled && state === 'cancelled'),
    )
    if (bad.length > 0)
      problems.push(`batch ${batchId} ended with ${bad.map((b) => `${b.rows} ${b.state}`).join(', ')}`)
  }
  return problems
}

const isPerson = (row: string): boolean => 'document' in readDocument(row)
