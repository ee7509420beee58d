import { removeAbandonedDownloads } from '../batches/download-folder.ts'
import type { ListedPurchases } from '../batches/resolve.ts'
import { SignInLink } from './access/sessions.ts'
import { checkPage, refuseAddress } from './check-page.ts'
import type { ConnectionLimits } from './connection-limits.ts'
import type { RegistryFigures } from './metrics.ts'
import { buildServer } from './server.ts'
import type { NextRun, OpenSpreadsheet, QuoteSweep, Site, Steered, WebSettings } from './site/site.ts'

type WebOptions = {
  engine: Steered
  settings: WebSettings
  /** The registry's list of purchases; needed to adopt a parked purchase. */
  purchases: ListedPurchases
  home: Site['home']
  quoteSweep: QuoteSweep
  openSpreadsheet: OpenSpreadsheet
  /** Absent: the page shows the schedules without their next runs. */
  nextRun?: NextRun
  registryFigures: RegistryFigures
  limits?: ConnectionLimits
}

export type Web = {
  url: string
  /** On loopback: opens the page once, for an administrator. */
  signInLink: string | null
  close(): Promise<void>
}

/** Starts the operator page and the API. On any host but loopback it needs operators with tokens. */
export const startWeb = async ({ nextRun = () => null, limits, ...options }: WebOptions): Promise<Web> => {
  const { engine, settings } = options
  const { host, port, loopback } = settings.web
  await checkPage(engine.sql, settings.web)
  await removeAbandonedDownloads(engine.clock())
  const link = loopback ? new SignInLink(engine.clock()) : null
  const site: Site = { ...options, nextRun, link }
  const app = await buildServer(site, limits)
  const url = await app.listen({ host, port }).catch((error) => refuseAddress(error, { host, port }))
  return { url, signInLink: link?.addressAt(url) ?? null, close: () => app.close() }
}
