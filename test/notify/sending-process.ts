import { flushCompileCache } from 'node:module'
import { openContext } from '../../src/cli/open.ts'
import { startEngine } from '../../src/worker.ts'

/** A worker that looks nothing up: it sends what people are to be told, until it is killed. */
const context = await openContext(process.env)
await startEngine(context, { looksUp: false })
// Before it is killed, when it can write nothing.
flushCompileCache()
process.stdout.write('ready\n')
