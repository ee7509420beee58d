import { once } from 'node:events'
import { peakMiB } from '../task.ts'
import { asProgram } from './as-program.ts'

/** A worker that prints `ready`, works until its stdin ends, and prints its peak memory. */
asProgram()
const { openContext } = await import('../../../src/cli/open.ts')
const { startEngine } = await import('../../../src/worker.ts')
const context = await openContext(process.env)
const running = await startEngine(context)
console.log('ready')
process.stdin.resume()
await once(process.stdin, 'end')
await running.stop()
await context[Symbol.asyncDispose]()
console.log(JSON.stringify({ peakMiB: peakMiB() }))
process.exit(0)
