import { flushCompileCache } from 'node:module'
import { spreadsheetsOf } from '../../src/cli/commands/worker.ts'
import { keepHeapLean } from '../../src/cli/lean-heap.ts'
import { openContext } from '../../src/cli/open.ts'
import { purchasesAt } from '../../src/cli/operation-command.ts'
import { quoteSweep } from '../../src/monitoring/preview-sweep.ts'
import { startWatchdog } from '../../src/watchdog/start-watchdog.ts'
import { createRegistryFigures } from '../../src/web/metrics.ts'
import { startWeb } from '../../src/web/start-web.ts'
import { startEngine } from '../../src/worker.ts'
import { letClockStep } from './stepping-clock.ts'

/**
 * A worker as a separate process, with its page and its watchdog, but without inbox and schedules: all of its work comes
 * from the scenario. It prints the address of its page once it accepts work, and shuts down cleanly on SIGTERM.
 */
letClockStep(process.env.VIGIA_HOME!)
keepHeapLean()
startWatchdog()
const context = await openContext(process.env)
const registryFigures = createRegistryFigures()
const running = await startEngine(context, { observe: registryFigures.observe })
const { tools, engine } = running
const web = await startWeb({
  ...engine,
  settings: context.settings,
  purchases: purchasesAt(tools.registry, tools.accounts),
  quoteSweep: (name) => quoteSweep(tools, name),
  openSpreadsheet: spreadsheetsOf(running, context.settings),
  home: context.home,
  nextRun: () => null,
  registryFigures,
})

process.once('SIGTERM', async () => {
  await web.close()
  await running.stop()
  await context[Symbol.asyncDispose]()
  process.exit(0)
})
// Flushed now, because most workers are killed and write nothing at their end.
flushCompileCache()
console.log(web.url)
