import { startInbox } from '../batches/inbox/start-inbox.ts'
import { enqueueSweep } from '../monitoring/begin-sweep.ts'
import { analysesToBuy } from '../monitoring/preview-sweep.ts'
import { startSchedules } from '../schedule/start-schedules.ts'
import { checkPage } from '../web/check-page.ts'
import { createRegistryFigures } from '../web/registry-figures.ts'
import { startWeb } from '../web/start-web.ts'
import { type Ground, type Running, startEngine } from '../worker.ts'
import { purchasesAt } from './listed-purchases.ts'

export type StartedWorker = AsyncDisposable & { running: Running; url: string; signInLink: string | null }

/** The whole service: engine, inbox, schedules, page. Disposing stops them in reverse order. */
export const startWorker = async (ground: Ground): Promise<StartedWorker> => {
  await using opening = new AsyncDisposableStack()
  // Before the engine: it would go on with a sweep, or the schedules begin one, that the worker then leaves behind.
  await checkPage(ground.sql, ground.settings.web)
  const registryFigures = createRegistryFigures()
  const running = opening.use(await startEngine(ground, { observe: registryFigures.observe }))
  const { tools, engine } = running
  const inbox = await startInbox(tools)
  opening.defer(() => inbox.stop())
  const schedules = await startSchedules({ ...tools, enqueue: (tx, sweep) => enqueueSweep(tools.boss, tx, sweep) })
  opening.defer(() => schedules.stop())
  const web = await startWeb({
    engine,
    settings: ground.settings,
    purchases: purchasesAt(tools.registry, tools.accounts),
    analysesToBuy: (name) => analysesToBuy(tools, name),
    home: ground.home,
    nextRun: schedules.nextRun,
    registryFigures,
  })
  opening.defer(() => web.close())
  const opened = opening.move()
  const { url, signInLink } = web
  return { running, url, signInLink, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}
