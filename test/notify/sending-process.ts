import { flushCompileCache } from 'node:module'
import { openContext } from '../../src/cli/open.ts'
import { startEngine } from '../../src/worker.ts'

/** A worker that looks nothing up: it sends notifications until it is killed. */
const context = await openContext(process.env)
await startEngine(context, { looksUp: false })
// Now, because a killed process can write nothing.
flushCompileCache()
process.stdout.write('ready\n')
