process.on('unhandledRejection', (error) => {
  console.error('UNHANDLED', error)
})

import { drawPlan } from './plan/draw-plan.ts'
import { substituteOutside } from './substitutes.ts'
import { installVirtualClock, trueNow } from './time/virtual-clock.ts'

substituteOutside()
const { runHistory } = await import('./run/history.ts')
installVirtualClock()
setImmediate(() => {
  const [from = 1, to = from, tell = 0] = process.argv.slice(2).map(Number)
  const began = trueNow()
  let events = 0
  let charges = 0
  let virtual = 0
  const found = new Map<string, number[]>()
  for (let seed = from; seed <= to; seed++) {
    const outcome = runHistory(drawPlan(seed), tell > 0)
    events += outcome.events
    charges += outcome.charges
    virtual += outcome.virtualMs
    if (tell) for (const line of outcome.story) console.log(line)
    if (outcome.violation) {
      const { promise, message } = outcome.violation
      found.set(promise, [...(found.get(promise) ?? []), seed])
      if (found.get(promise)!.length < 3) console.log(seed, promise, message)
    }
  }
  const n = to - from + 1
  console.log({ n, ms: (trueNow() - began) / n, events: events / n, charges: charges / n, virtual: virtual / n / 1000 })
  console.log([...found].map(([p, seeds]) => `${p}: ${seeds.length} (${seeds.slice(0, 5)})`))
})
