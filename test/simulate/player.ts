import { enableCompileCache } from 'node:module'
import { parentPort } from 'node:worker_threads'
import { drawPlan } from './plan/draw-plan.ts'
import { loadPlay, outsidePromises, type Play } from './play.ts'
import { emptyTally, type Tally } from './tally.ts'

/** Seeds from one to below another. */
export type Range = { from: number; to: number }

/** Plays the histories of these seeds, and says what they came to. */
export const playRange = (play: Play, { from, to }: Range, pairs: Map<string, number>): Tally => {
  const tally = emptyTally()
  pairs.clear()
  for (let seed = from; seed < to; seed++) {
    const plan = drawPlan(seed)
    const { violation, exempt, events, charges, virtualMs } = play(plan)
    tally.histories++
    tally.documents += plan.files.reduce((sum, { documents }) => sum + documents.length, 0)
    tally.events += events
    tally.charges += charges
    tally.virtualMs += virtualMs
    for (const [name, count] of exempt) tally.exempt[name] = (tally.exempt[name] ?? 0) + count
    if (violation) tally.failures.push({ seed, promise: violation.promise, message: violation.message })
  }
  tally.pairs = Object.fromEntries(pairs)
  return tally
}

if (parentPort) {
  const port = parentPort
  enableCompileCache()
  // Errors are part of many histories, and nobody reads where they came from.
  Error.stackTraceLimit = 0
  const play = await loadPlay()
  const { pairs } = await import('./outside/pairs.ts')
  port.on('message', async (range: Range) =>
    port.postMessage(await outsidePromises(() => playRange(play, range, pairs))),
  )
  port.postMessage('ready')
}
