import { cpfs } from '../../support/documents.ts'
import type { Arena } from '../arena.ts'
import { charges, handIn, judgeForgetful, patientSettings, untilBought } from '../forgetful.ts'
import type { PostgresServer } from '../postgres-server.ts'
import type { Random } from '../random.ts'
import type { Scenario } from '../scenario.ts'

const early = 60
const late = 40
/**
 * The database is replaced by an older copy, alternately while workers run and while they are down.
 *
 * It has lost what was bought since the copy, and one complete file, which is submitted again. The registry remembers: in
 * the end it has sold each document once, and every row has been reported.
 */
export const rewound: Scenario = {
  name: 'rewound',
  size: '3 restored copies over 300 documents; full: 20 over 2,000',
  async run({ open, random, full, server }) {
    const moments = full ? 20 : 3
    await using arena = await open({ config: patientSettings, scenario: { latency: { all: { ms: 60, jitter: 40 } } } })
    await arena.fleet.startMany(2)
    const shown: string[] = []
    for (let moment = 0; moment < moments; moment++) shown.push(await rewindOnce(arena, server, random, moment))
    const { figures, problems } = await judgeForgetful(arena)
    return { figures: { moments, ...figures }, problems: problems.length > 0 ? [...problems, ...shown] : [] }
  },
}

const rewindOnce = async (arena: Arena, server: PostgresServer, random: Random, moment: number): Promise<string> => {
  const { fleet } = arena
  const isDown = moment % 2 === 1
  const first = moment * (early + late)
  await handIn(arena, () => arena.submit(cpfs(early, first)))
  await untilBought(arena, first + random.between(3, early - 10))
  const copy = await server.copy()
  const forgotten = await handIn(arena, () => arena.submit(cpfs(late, first + early)))
  const before = await charges(arena)
  await untilBought(arena, Math.min(before + random.between(5, 60), first + early + late))
  if (isDown) for (const worker of [...fleet.alive]) await fleet.kill(worker)
  const bought = (await charges(arena)) - before
  await server.rewind(copy)
  arena.submitted.splice(arena.submitted.indexOf(forgotten), 1)
  await handIn(arena, () => arena.submitAgain(forgotten))
  if (isDown) await fleet.startMany(2)
  await arena.finished(180_000)
  const extra = (await charges(arena)) - first - early - late
  return `moment ${moment + 1}, workers ${isDown ? 'down' : 'running'}: ${bought} purchases forgotten, ${extra} charges too many so far`
}
