import { once } from 'node:events'
import { peakMiB } from '../task.ts'
import { asProgram } from './as-program.ts'

/** The complete service with inbox and page: prints the path of its inbox, works until its stdin ends, prints its memory. */
asProgram()
const { startWorker } = await import('../../../src/cli/commands/worker.ts')
const { openContext } = await import('../../../src/cli/open.ts')
const context = await openContext(process.env)
const started = await startWorker(context)
console.log(context.home.inbox)
process.stdin.resume()
await once(process.stdin, 'end')
await started[Symbol.asyncDispose]()
await context[Symbol.asyncDispose]()
console.log(JSON.stringify({ peakMiB: peakMiB() }))
process.exit(0)
