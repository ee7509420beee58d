import { once } from 'node:events'
import { keepHeapLean } from '../../../src/cli/lean-heap.ts'
import { openContext } from '../../../src/cli/open.ts'
import { startEngine } from '../../../src/worker.ts'
import { peakMiB } from '../task.ts'

/** A worker that says `ready`, works until its stdin ends, and tells the most memory it ever had. */
keepHeapLean()
const context = await openContext(process.env)
const running = await startEngine(context)
console.log('ready')
process.stdin.resume()
await once(process.stdin, 'end')
await running.stop()
await context[Symbol.asyncDispose]()
console.log(JSON.stringify({ peakMiB: peakMiB() }))
process.exit(0)
