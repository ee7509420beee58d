import { once } from 'node:events'
import module from 'node:module'
import { keepHeapLean } from '../../../src/cli/lean-heap.ts'
import { peakMiB } from '../task.ts'

/**
 * A worker, with inbox and page if its argument is `complete`: prints the path of its inbox when it is ready, works until
 * its stdin ends, and prints its peak memory. As `vigia.js` does, it begins with the compile cache and the heap.
 */
module.enableCompileCache()
keepHeapLean()
const { openContext } = await import('../../../src/cli/open.ts')
const context = await openContext(process.env)
const start =
  process.argv[2] === 'complete'
    ? (await import('../../../src/cli/commands/worker.ts')).startWorker
    : (await import('../../../src/worker.ts')).startEngine
const started = await start(context)
console.log(context.home.inbox)
process.stdin.resume()
await once(process.stdin, 'end')
await started[Symbol.asyncDispose]()
await context[Symbol.asyncDispose]()
console.log(JSON.stringify({ peakMiB: peakMiB() }))
process.exit(0)
