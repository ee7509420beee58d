import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import { missingPairs, rareSeeds, unexpectedPairs } from './coverage.ts'
import { drawPlan } from './plan/draw-plan.ts'
import { loadPlay, outsidePromises } from './play.ts'
import type { Range } from './player.ts'
import { shrink } from './shrink.ts'
import { addTally, emptyTally, type Tally } from './tally.ts'
import { describePlan, mainLines } from './texts.ts'

const help = `npm run simulate -- [options]

Runs random histories of the engine in virtual time, and stops at the first that breaks a promise.

  --histories N   how many (default 2000)
  --minutes N     as many as fit into N minutes, instead
  --processor-seconds N  as many as fit into N seconds of processor time, however busy the machine is
  --seed N        the first seed (default: another one each time)
  --threads N     processes at a time (default: as many as there are cores)
  --replay SEED   runs one history again, makes it as short as it gets, and records it
  --coverage      fails unless every state met every outcome that it can meet; plays some histories more for that
  --json          prints one JSON document
`

const { values } = parseArgs({
  options: {
    histories: { type: 'string' },
    minutes: { type: 'string' },
    'processor-seconds': { type: 'string' },
    seed: { type: 'string' },
    threads: { type: 'string' },
    replay: { type: 'string' },
    coverage: { type: 'boolean' },
    json: { type: 'boolean' },
    help: { type: 'boolean' },
  },
})

const chunk = 5

const simulate = async (): Promise<Tally> => {
  const seed = Number(values.seed ?? Math.floor(Math.random() * 1_000_000) * 1_000)
  const isTimed = values.minutes !== undefined || values['processor-seconds'] !== undefined
  const count = isTimed ? Number.POSITIVE_INFINITY : Number(values.histories ?? 2_000)
  const mostProcessorMs = Number(values['processor-seconds'] ?? Number.POSITIVE_INFINITY) * 1_000
  const until = performance.now() + Number(values.minutes ?? Number.POSITIVE_INFINITY) * 60_000
  const tally = emptyTally()
  let next = seed
  if (!values.json) console.log(`seeds from ${seed}`)
  const rare = values.coverage ? [...rareSeeds] : []
  const isLate = (): boolean => performance.now() > until || processorMs() > mostProcessorMs
  const isOver = (): boolean => tally.failures.length > 0 || next >= seed + count || isLate()
  const nextRange = (): Range => {
    const known = rare.pop()
    if (known !== undefined) return { from: known, to: known + 1 }
    const from = next
    next = Math.min(from + chunk, seed + count)
    return { from, to: next }
  }
  const work = async (): Promise<void> => {
    const player = startPlayer()
    while (!isOver()) {
      addTally(tally, await player.play(nextRange()))
    }
    await player.end()
  }
  const threads = Number(values.threads ?? availableParallelism())
  await Promise.all(Array.from({ length: threads }, work))
  return tally
}

const processorMs = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

const startPlayer = () => {
  // What a history leaves behind is dead at its end: collecting it seldom costs least.
  const worker = new Worker(new URL('player.ts', import.meta.url), { resourceLimits: { maxYoungGenerationSizeMb: 96 } })
  const replies: ((value: unknown) => void)[] = []
  const failed: ((reason: unknown) => void)[] = []
  const reply = () =>
    new Promise<unknown>((resolve, reject) => {
      replies.push(resolve)
      failed.push(reject)
    })
  worker.on('message', (value) => {
    failed.shift()
    replies.shift()?.(value)
  })
  worker.on('error', (error) => failed.shift()?.(error))
  const ready = reply()
  return {
    async play(range: Range): Promise<Tally> {
      await ready
      worker.postMessage(range)
      return (await reply()) as Tally
    },
    end: () => worker.terminate(),
  }
}

const replay = async (seed: number): Promise<boolean> => {
  const play = await loadPlay()
  return outsidePromises(() => {
    const plan = drawPlan(seed)
    const first = play(plan, true)
    const { violation } = first
    if (!violation) {
      console.log(`History ${seed} keeps every promise.`)
      return true
    }
    const short = shrink(plan, violation.promise, play)
    const described = play(short, true)
    console.log(`History ${seed} breaks a promise (${violation.promise}): ${described.violation?.message}\n`)
    for (const line of describePlan(short)) console.log(line)
    console.log('')
    for (const line of mainLines(described.lines)) console.log(line)
    console.log(`\nnpm run simulate -- --replay ${seed}`)
    return false
  })
}

const report = (tally: Tally, ms: number): boolean => {
  const missing = values.coverage ? missingPairs(tally.pairs) : []
  const unexpected = unexpectedPairs(tally.pairs)
  const perMinute = Math.round((tally.histories / ms) * 60_000)
  if (values.json)
    console.log(JSON.stringify({ ...tally, ms, processorMs: processorMs(), perMinute, missing, unexpected }))
  else {
    const hours = Math.round(tally.virtualMs / 3_600_000)
    console.log(
      `${tally.histories} histories, ${tally.documents} documents, ${tally.events} events, ${tally.charges} charges, ` +
        `${hours} hours of virtual time in ${(ms / 1_000).toFixed(1)} s: ${perMinute} histories a minute`,
    )
    for (const [name, count] of Object.entries(tally.exempt)) console.log(`  excused ${count} times: ${name}`)
    if (values.coverage) {
      for (const [pair, count] of Object.entries(tally.pairs).sort()) console.log(`  ${pair}: ${count}`)
    }
  }
  for (const pair of missing) console.error(`never reached: ${pair}`)
  for (const pair of unexpected) console.error(`reached, though it cannot be: ${pair}`)
  return missing.length + unexpected.length === 0
}

if (values.help) console.log(help)
else if (values.replay) process.exitCode = (await replay(Number(values.replay))) ? 0 : 1
else {
  const began = performance.now()
  const tally = await simulate()
  const isCovered = report(tally, performance.now() - began)
  const [failure] = tally.failures.sort((a, b) => a.seed - b.seed)
  if (failure) console.error(`history ${failure.seed} breaks a promise (${failure.promise}): ${failure.message}`)
  process.exitCode = failure || !isCovered ? 1 : 0
  if (failure && !values.json) await replay(failure.seed)
}
