import { flushCompileCache } from 'node:module'
import { openContext } from '../../src/cli/open.ts'
import { enqueueSweep } from '../../src/monitoring/sweep.ts'
import { triggerPortfolios } from '../../src/schedule/start-schedules.ts'
import { startEngine } from '../../src/worker.ts'

/** A worker in a month of its own (`AHEAD_MS` from now): it begins the run that is due, and works until it is killed. */
const context = await openContext(process.env)
const clock = () => new Date(Date.now() + Number(process.env.AHEAD_MS))
const { tools } = await startEngine(context, { clock })
const { sql, log, boss } = tools
await triggerPortfolios({ sql, clock, log, enqueue: (tx, sweep) => enqueueSweep(boss, tx, sweep) })
// Now, because a killed process can write nothing.
flushCompileCache()
process.stdout.write('ready\n')
