import { keepHeapLean } from '../../src/cli/lean-heap.ts'
import { openContext } from '../../src/cli/open.ts'
import { startEngine } from '../../src/worker.ts'

/** A worker as its own process: says `ready` once it takes work, and leaves in good order on SIGTERM. */
keepHeapLean()
const context = await openContext(process.env)
const running = await startEngine(context)

process.once('SIGTERM', async () => {
  await running.stop()
  await context[Symbol.asyncDispose]()
  process.exit(0)
})
console.log('ready')
