import cookie from '@fastify/cookie'
import helmet from '@fastify/helmet'
import multipart from '@fastify/multipart'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { readPageSecret } from '../store/person-key.ts'
import { addGuard, siteForVisitors } from './access/guard.ts'
import { createRefusals } from './access/refused.ts'
import { addApi } from './api/api-routes.ts'
import { addDownloads, addSpreadsheet } from './api/downloads.ts'
import { addAssets, addHealth } from './assets.ts'
import { addMetrics } from './metrics.ts'
import { addBatchButtons, addBatchPage } from './pages/batches/batch-page.ts'
import { addComparePage } from './pages/batches/compare-page.ts'
import { addBulkActions, addListPage } from './pages/batches/list-page.ts'
import { addParkedPage, addResolve } from './pages/batches/parked-page.ts'
import { addRiskDownloads } from './pages/batches/risk-downloads.ts'
import { addRiskPage } from './pages/batches/risk-page.ts'
import { addRowPage } from './pages/batches/row-page.ts'
import { addRowPieces } from './pages/batches/rows-section.ts'
import { addUploadPage } from './pages/batches/upload-page.ts'
import { addErrorPages, addSignIn } from './pages/error-pages.ts'
import { addHelpPage } from './pages/help-page.ts'
import { addPersonPage } from './pages/person/person-page.ts'
import { addPortfolioPage, addPortfoliosPage, addSyncPage } from './pages/portfolios/portfolios-page.ts'
import { addAcknowledgement } from './pages/radars/change-table.ts'
import { addChangesPage } from './pages/radars/changes-page.ts'
import { addRadarPage, addRadarsPage } from './pages/radars/radars-page.ts'
import { addRulesPage } from './pages/radars/rules-page.ts'
import { addAuditPage, addLaneForms, addOperatorsPage, addSystemPage } from './pages/system/system-page.ts'
import { addSweepAction } from './pages/system/system-sections.ts'
import { addLanguageSwitch } from './parts/layout.ts'
import { addIncidentStream } from './parts/live.ts'
import type { Site } from './site/site.ts'
import { createPages, type Pages } from './visit.ts'

/** The page and the API on one server, which does not listen yet. */
export const buildServer = async (options: Omit<Site, 'secret'>, limits = usualLimits): Promise<FastifyInstance> => {
  const app = Fastify({
    logger: false,
    bodyLimit: 64 * 1024,
    forceCloseConnections: true,
    http: { headersTimeout: limits.headersMs, connectionsCheckingInterval: Math.min(limits.headersMs, 5_000) },
    routerOptions: { maxParamLength: 300 },
  })
  const site: Site = { ...options, secret: await readPageSecret(options.sql) }
  const siteFor = siteForVisitors(site)
  const refusals = createRefusals(site)
  app.addHook('onClose', refusals.flush)
  limitConnections(app, limits)
  addErrorPages(app, siteFor, refusals)
  await app.register(helmet, { contentSecurityPolicy: { useDefaults: false, directives }, ...helmetOptions })
  await app.register(cookie)
  await app.register(multipart, {
    limits: { files: 1, fields: 40, fieldSize: 4096, fileSize: site.settings.web.maxUploadBytes },
  })
  // Instead of @fastify/formbody: it makes lists of repeated fields, and none of our forms has any.
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_, body, done) =>
    done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  )
  addGuard(app, site, siteFor)
  await app.register(async (open) => {
    open.addHook('onRoute', (route) => {
      route.config = { ...route.config, role: 'everyone' }
    })
    await addAssets(open)
  })
  await addSignIn(app, siteFor)
  addLanguageSwitch(app)
  addHealth(app, site)
  addMetrics(app, site)
  app.get('/', { config: { role: 'everyone' } }, (_, reply) => reply.redirect('/batches', 303))
  addPages(createPages(app, siteFor))
  addApi(app, siteFor)
  return app
}

const addPages = (pages: Pages): void => {
  addListPage(pages)
  addUploadPage(pages)
  addBulkActions(pages)
  addBatchPage(pages)
  addBatchButtons(pages)
  addRowPieces(pages)
  addRowPage(pages)
  addResolve(pages)
  addRiskPage(pages)
  addRiskDownloads(pages)
  addComparePage(pages)
  addParkedPage(pages)
  addRadarsPage(pages)
  addRadarPage(pages)
  addChangesPage(pages)
  addPersonPage(pages)
  addAcknowledgement(pages)
  addRulesPage(pages)
  addPortfoliosPage(pages)
  addSyncPage(pages)
  addPortfolioPage(pages)
  addSystemPage(pages)
  addAuditPage(pages)
  addOperatorsPage(pages)
  addHelpPage(pages)
  addIncidentStream(pages)
  addLaneForms(pages)
  addSweepAction(pages)
  addDownloads(pages)
  addDownloads(pages, '/api')
  addSpreadsheet(pages)
}

/** Nothing from other hosts, nothing inline, no frames. */
const directives = {
  'default-src': ["'none'"],
  'script-src': ["'self'"],
  'style-src': ["'self'"],
  'img-src': ["'self'"],
  'connect-src': ["'self'"],
  'form-action': ["'self'"],
  'base-uri': ["'none'"],
  'frame-ancestors': ["'none'"],
}

/** With `no-referrer` a browser would send forms with the origin `null`, and the guard could not check it. */
const helmetOptions = { referrerPolicy: { policy: 'same-origin' as const }, strictTransportSecurity: false }

export type ConnectionLimits = {
  /** How long the headers of a request may take to arrive. */
  headersMs: number
  /** How long its body may take to arrive, unless it is a file from somebody who may submit one. */
  bodyMs: number
  /** How long an upload may make no progress. */
  uploadIdleMs: number
  connections: number
}

const usualLimits: ConnectionLimits = {
  headersMs: 15_000,
  bodyMs: 30_000,
  uploadIdleMs: 120_000,
  connections: 1_000,
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route takes a file, whose upload has no total time limit. */
    upload?: boolean
  }
}

/**
 * Ends requests that take too long; otherwise each could keep its connection open without limit. Must be added before
 * the guard, so that the limits also hold for requests that the guard refuses.
 */
const limitConnections = (app: FastifyInstance, limits: ConnectionLimits): void => {
  app.server.maxConnections = limits.connections
  const uploads = new WeakSet<FastifyRequest>()
  app.addHook('onRequest', async (request, reply) => {
    const end = () => uploads.has(request) || endUnfinished(request, reply)
    const timer = setTimeout(end, limits.bodyMs).unref()
    request.raw.once('close', () => clearTimeout(timer))
  })
  // After the guard: whoever gets this far may submit a file.
  app.addHook('preParsing', async (request, reply) => {
    if (!request.routeOptions.config.upload) return
    uploads.add(request)
    const { raw } = request
    raw.setTimeout(limits.uploadIdleMs, () => endUnfinished(request, reply))
    raw.once('end', () => raw.setTimeout(0))
  })
}

const endUnfinished = ({ raw }: FastifyRequest, reply: FastifyReply): void => {
  if (raw.complete) return
  if (!reply.raw.headersSent) raw.socket.write('HTTP/1.1 408 Request Timeout\r\nconnection: close\r\n\r\n')
  raw.socket.destroySoon()
}
