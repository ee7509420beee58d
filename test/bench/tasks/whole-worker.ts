import { once } from 'node:events'
import { startWorker } from '../../../src/cli/commands/worker.ts'
import { keepHeapLean } from '../../../src/cli/lean-heap.ts'
import { openContext } from '../../../src/cli/open.ts'
import { peakMiB } from '../task.ts'

/** The whole service, inbox and page too: says where its inbox is, works until its stdin ends, and tells its memory. */
keepHeapLean()
const context = await openContext(process.env)
const started = await startWorker(context)
console.log(context.home.inbox)
process.stdin.resume()
await once(process.stdin, 'end')
await started[Symbol.asyncDispose]()
await context[Symbol.asyncDispose]()
console.log(JSON.stringify({ peakMiB: peakMiB() }))
process.exit(0)
