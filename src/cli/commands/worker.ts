import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join, relative } from 'node:path'
import { isLocalRegistry } from '../../../config/environment.ts'
import type { Settings } from '../../../config/settings.ts'
import { startInbox } from '../../batches/inbox/start-inbox.ts'
import type { Installation } from '../../installation.ts'
import { quoteSweep } from '../../monitoring/preview-sweep.ts'
import { enqueueSweep } from '../../monitoring/sweep.ts'
import { spreadsheetOpener } from '../../registry/download.ts'
import { startSchedules } from '../../schedule/start-schedules.ts'
import { startWatchdog } from '../../watchdog/start-watchdog.ts'
import { createRegistryFigures } from '../../web/metrics.ts'
import { checkPage, startWeb } from '../../web/start-web.ts'
import { type Running, startEngine } from '../../worker.ts'
import { type CommandContext, type CommandDefinition, programName } from '../command.ts'
import { openContext } from '../open.ts'
import { purchasesAt } from '../operation-command.ts'
import { demoHome } from './demo.ts'

/** The long-running service. What is started here is stopped in reverse order on SIGTERM or Ctrl-C. */
export const worker: CommandDefinition = {
  examples: {
    'vigia worker': 'Run until SIGTERM or Ctrl-C, then finish the open calls',
    'DATABASE_URL=postgres://vigia@db/vigia vigia worker': 'Add a worker to a fleet',
  },

  async run(context) {
    // Only here: a service manager restarts a service. A person who runs a file in the foreground sees that it hangs.
    await using _watchdog = startWatchdog()
    await using opened = await openContext(context.env)
    await using started = await startWorker(opened)
    const { url, signInLink } = started
    const organizations = started.running.accounts.map(({ organizationId }) => organizationId)
    const { path: home } = opened.home
    context.print({ organizations, home, url, signInLink, pid: process.pid }, () =>
      [
        `Working for ${organizations.join(', ')}; home ${home}`,
        ...noteOfDemo(opened, context),
        `Operator page: ${signInLink ?? url}${signInLink ? ' (valid once, for ten minutes, as administrator)' : ''}`,
      ].join('\n'),
    )
    if (!context.signal.aborted) await once(context.signal, 'abort')
    opened.log.info({}, 'worker stops')
    return 0
  },
}

/** Whoever started the demo first expects its batches here, but they are in a home of their own. */
const noteOfDemo = ({ home, settings }: Installation, { env }: CommandContext): string[] => {
  const other = join(home.path, demoHome)
  if (settings.databaseUrl || !existsSync(join(other, 'postgres'))) return []
  return [`The demo has a home of its own: VIGIA_HOME=${relative('', other)} ${programName(env)} worker opens it`]
}

type StartedWorker = AsyncDisposable & { running: Running; url: string; signInLink: string | null }

/** The complete service: engine, inbox, schedules, page. Disposing stops them in reverse order. */
export const startWorker = async (installation: Installation): Promise<StartedWorker> => {
  await using opening = new AsyncDisposableStack()
  // Before the engine: otherwise a sweep would be continued or begun, and left behind when the page refuses to start.
  await checkPage(installation.sql, installation.settings.web)
  const registryFigures = createRegistryFigures()
  const running = opening.use(await startEngine(installation, { observe: registryFigures.observe }))
  const { tools, engine } = running
  const inbox = await startInbox(tools)
  opening.defer(() => inbox.stop())
  const schedules = await startSchedules({ ...tools, enqueue: (tx, sweep) => enqueueSweep(tools.boss, tx, sweep) })
  opening.defer(() => schedules.stop())
  const web = await startWeb({
    ...engine,
    settings: installation.settings,
    purchases: purchasesAt(tools.registry, tools.accounts),
    quoteSweep: (name) => quoteSweep(tools, name),
    openSpreadsheet: spreadsheetsOf(running, installation.settings),
    home: installation.home,
    nextRun: schedules.nextRun,
    registryFigures,
  })
  opening.defer(() => web.close())
  // While the page and the inbox finish their open work, nothing is bought.
  opening.defer(() => running.beginDraining())
  const opened = opening.move()
  const { url, signInLink } = web
  return { running, url, signInLink, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

export const spreadsheetsOf = ({ engine, tools }: Running, { registry }: Settings) =>
  spreadsheetOpener({
    registry: tools.registry,
    accounts: tools.accounts,
    local: isLocalRegistry(registry),
    signal: engine.draining,
  })
