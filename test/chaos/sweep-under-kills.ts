import { setTimeout as pause } from 'node:timers/promises'
import { beginSweep } from '../../src/monitoring/sweep.ts'
import { readSweep, type Sweep } from '../../src/store/radars/sweeps.ts'
import { cpfs } from '../support/documents.ts'
import type { Arena } from './arena.ts'
import { checkPrivacy } from './check-privacy.ts'
import type { Random } from './random.ts'
import type { Outcome } from './scenario.ts'

/** Outside of the range of the documents in files. */
const firstRadar = 500_000
const calm = { processes: 3 }
const moved = { processes: 8 }

/**
 * Two sweeps of the same radars while workers are killed. The first is a silent baseline and buys one analysis each; the
 * second finds exactly what changed in between, once, and buys nothing.
 */
export const sweepUnderKills = async (
  arena: Arena,
  random: Random,
  size: { radars: number; kills: number },
): Promise<Outcome> => {
  const { sandbox, fleet } = arena
  const fallen = fleet.fallen.length
  await sandbox.set({ faults: [] })
  const documents = cpfs(size.radars, firstRadar)
  for (const code of documents) {
    await sandbox.post('/sandbox/radar', { code })
    await sandbox.post('/sandbox/plant', { document: code, ...calm })
  }
  const before = (await sandbox.summary()).charges.total
  const first = await sweepWhileKilling(arena, random, size.kills)
  const bought = (await sandbox.summary()).charges.total - before
  const changed = documents.filter((_, n) => n % 10 === 3)
  for (const document of changed) await sandbox.post('/sandbox/plant', { document, ...moved })
  const second = await sweepWhileKilling(arena, random, size.kills)
  const again = (await sandbox.summary()).charges.total - before - bought
  const kills = first.kills + second.kills
  return {
    figures: { 'kills over sweeps': kills, radars: size.radars, changes: second.sweep.changed },
    problems: [
      ...checkCoverage(first.sweep, size.radars, 0),
      ...checkCoverage(second.sweep, size.radars, changed.length),
      ...(await checkChanges(arena, second.sweep, changed)),
      ...(bought === size.radars ? [] : [`${bought} analyses were bought for ${size.radars} radars`]),
      ...(again === 0 ? [] : [`${again} analyses were bought again`]),
      ...(kills < size.kills ? [`only ${kills} workers were killed while a sweep ran`] : []),
      ...(await checkPrivacy(arena, documents)),
      ...fleet.fallen.slice(fallen),
    ],
  }
}

const sweepWhileKilling = async (
  { sql, boss, fleet, until }: Arena,
  random: Random,
  most: number,
): Promise<{ sweep: Sweep; kills: number }> => {
  const id = await beginSweep({ sql, boss }, { name: 'radars', by: 'chaos', now: new Date(), timezone: 'UTC' })
  const running = async () => (await readSweep(sql, id))?.finishedAt === null
  let kills = 0
  for (; kills < most && (await running()); kills++) {
    await pause(random.between(20, 700))
    await fleet.killOne(random)
    await fleet.start()
  }
  await until(async () => !(await running()), 180_000)
  return { sweep: (await readSweep(sql, id))!, kills }
}

const checkCoverage = (sweep: Sweep, due: number, changed: number): string[] => {
  const found = `${sweep.state}, ${sweep.verified} of ${sweep.due} verified, ${sweep.changed} changed`
  const wanted = `done, ${due} of ${due} verified, ${changed} changed`
  return found === wanted ? [] : [`sweep ${sweep.id} ended ${found}; it should have been ${wanted}`]
}

/** Counted from the rows, so that a change that two workers found would appear twice. */
const checkChanges = async ({ sql }: Arena, { id }: Sweep, documents: string[]): Promise<string[]> => {
  const rows = await sql<{ sweepId: bigint; shown: string }[]>`
    select sweep_id, document || ' ' || field || ' ' || before || ' ' || after as shown from vigia.change`
  const shown = rows.filter(({ sweepId }) => sweepId === id).map((row) => row.shown)
  const wanted = documents.map((document) => `${document} processes ${calm.processes} ${moved.processes}`)
  const wrong = shown.filter((each) => !wanted.includes(each)).length
  const twice = shown.length - new Set(shown).size
  const problems = rows.length > shown.length ? [`the baseline reported ${rows.length - shown.length} changes`] : []
  return wrong + twice === 0 && shown.length === wanted.length
    ? problems
    : [...problems, `${shown.length} changes of ${wanted.length}, ${wrong} wrong and ${twice} reported twice`]
}
