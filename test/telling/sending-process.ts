import { openContext } from '../../src/cli/open.ts'
import { startEngine } from '../../src/worker.ts'

/** A worker that looks nothing up: it sends what people are to be told, until it is killed. */
const context = await openContext(process.env)
await startEngine(context, { looksUp: false })
process.stdout.write('ready\n')
