import { once } from 'node:events'
import { isLocalRegistry } from '../../../config/environment.ts'
import type { Settings } from '../../../config/settings.ts'
import { startInbox } from '../../batches/inbox/start-inbox.ts'
import type { Installation } from '../../installation.ts'
import { quoteSweep } from '../../monitoring/preview-sweep.ts'
import { enqueueSweep } from '../../monitoring/sweep.ts'
import { spreadsheetOpener } from '../../registry/open-spreadsheet.ts'
import { startSchedules } from '../../schedule/start-schedules.ts'
import { startWatchdog } from '../../watchdog/start-watchdog.ts'
import { checkPage } from '../../web/check-page.ts'
import { createRegistryFigures } from '../../web/metrics.ts'
import { startWeb } from '../../web/start-web.ts'
import { type Running, startEngine } from '../../worker.ts'
import type { CommandDefinition } from '../command.ts'
import { purchasesAt } from '../listed-purchases.ts'
import { openContext } from '../open.ts'

/** The long-running service. Whatever is started here is stopped in reverse when the process is told to end. */
export const worker: CommandDefinition = {
  examples: [
    { line: 'vigia worker', about: 'Works until SIGTERM or Ctrl-C, then ends what it has in hand' },
    { line: 'DATABASE_URL=postgres://vigia@db/vigia vigia worker', about: 'One more worker of a fleet' },
  ],

  async run(context) {
    // Only here: a service has someone who starts it anew, while whoever runs a file in the foreground sees it stand still.
    await using _watchdog = startWatchdog()
    await using opened = await openContext(context.env)
    await using started = await startWorker(opened)
    const { url, signInLink } = started
    const organizations = started.running.accounts.map(({ organizationId }) => organizationId)
    const { path: home } = opened.home
    context.print({ organizations, home, url, signInLink, pid: process.pid }, () =>
      [
        `Working for ${organizations.join(', ')}; home ${home}`,
        `Operator page: ${signInLink ?? url}${signInLink ? ' (opens once, within ten minutes, as administrator)' : ''}`,
      ].join('\n'),
    )
    if (!context.signal.aborted) await once(context.signal, 'abort')
    opened.log.info({}, 'worker stops')
    return 0
  },
}

type StartedWorker = AsyncDisposable & { running: Running; url: string; signInLink: string | null }

/** The whole service: engine, inbox, schedules, page. Disposing stops them in reverse order. */
export const startWorker = async (installation: Installation): Promise<StartedWorker> => {
  await using opening = new AsyncDisposableStack()
  // Before the engine: it would go on with a sweep, or the schedules begin one, that the worker then leaves behind.
  await checkPage(installation.sql, installation.settings.web)
  const registryFigures = createRegistryFigures()
  const running = opening.use(await startEngine(installation, { observe: registryFigures.observe }))
  const { tools, engine } = running
  const inbox = await startInbox(tools)
  opening.defer(() => inbox.stop())
  const schedules = await startSchedules({ ...tools, enqueue: (tx, sweep) => enqueueSweep(tools.boss, tx, sweep) })
  opening.defer(() => schedules.stop())
  const web = await startWeb({
    engine,
    settings: installation.settings,
    purchases: purchasesAt(tools.registry, tools.accounts),
    quoteSweep: (name) => quoteSweep(tools, name),
    openSpreadsheet: spreadsheetsOf(running, installation.settings),
    home: installation.home,
    nextRun: schedules.nextRun,
    registryFigures,
  })
  opening.defer(() => web.close())
  // Whatever the page or the inbox still have in hand, nothing is bought meanwhile.
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
