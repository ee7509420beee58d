import cookie from '@fastify/cookie'
import helmet from '@fastify/helmet'
import multipart from '@fastify/multipart'
import Fastify, { type FastifyInstance } from 'fastify'
import { readPageSecret } from '../store/page-secret.ts'
import { addGuard } from './access/guard.ts'
import { addSignIn } from './access/sign-in.ts'
import { addApi } from './api/add-api.ts'
import { addAssets } from './assets.ts'
import { addBatchPage } from './batches/batch-page.ts'
import { addBulkActions } from './batches/bulk-actions.ts'
import { addDownloads } from './batches/downloads.ts'
import { addListPage } from './batches/list-page.ts'
import { addParkedPage } from './batches/parked-page.ts'
import { addResolve } from './batches/resolve.ts'
import { addRiskPage } from './batches/risk-page.ts'
import { addRowPage } from './batches/row-page.ts'
import { addRowPieces } from './batches/rows-section.ts'
import { addSteerRoutes } from './batches/steer-routes.ts'
import { addUpload } from './batches/upload.ts'
import { addErrorPages } from './error-pages.ts'
import { addHealth } from './health.ts'
import { addLanguageSwitch } from './language-switch.ts'
import { addMetrics } from './metrics.ts'
import { addChangesPage } from './radars/changes-page.ts'
import { addRadarPage } from './radars/radar-page.ts'
import { addRadarsPage } from './radars/radars-page.ts'
import type { Site } from './site.ts'
import { addAuditPage } from './system/audit-page.ts'
import { addErase } from './system/erase-section.ts'
import { addLaneActions } from './system/lanes-section.ts'
import { addSweepAction } from './system/schedules-section.ts'
import { addSystemPage } from './system/system-page.ts'
import { addTroubleStream } from './trouble/trouble-stream.ts'

/** The whole page and API on one server; it does not listen yet. */
export const buildServer = async (site: Site): Promise<FastifyInstance> => {
  const app = Fastify({
    logger: false,
    bodyLimit: 64 * 1024,
    forceCloseConnections: true,
    routerOptions: { maxParamLength: 300 },
  })
  addErrorPages(app, site)
  await app.register(helmet, { contentSecurityPolicy: { useDefaults: false, directives }, ...manners })
  await app.register(cookie)
  await app.register(multipart, {
    limits: { files: 1, fields: 10, fieldSize: 4096, fileSize: site.settings.web.maxUploadBytes },
  })
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_, body, done) =>
    done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  )
  addGuard(app, site)
  await app.register(async (open) => {
    open.addHook('onRoute', (route) => {
      route.config = { ...route.config, role: 'everyone' }
    })
    await addAssets(open)
  })
  await addSignIn(app, site)
  addLanguageSwitch(app)
  addHealth(app, site)
  addMetrics(app, site)
  app.get('/', { config: { role: 'everyone' } }, (_, reply) => reply.redirect('/batches', 303))
  addBatches(app, site)
  const secret = await readPageSecret(site.engine.sql)
  addRadarsPage(app, site, secret)
  addRadarPage(app, site, secret)
  addChangesPage(app, site, secret)
  addSystemPage(app, site)
  addAuditPage(app, site)
  addTroubleStream(app, site)
  addLaneActions(app, site)
  addSweepAction(app, site)
  addErase(app, site)
  addApi(app, site)
  return app
}

const addBatches = (app: FastifyInstance, site: Site): void => {
  addListPage(app, site)
  addUpload(app, site)
  addBulkActions(app, site)
  addBatchPage(app, site)
  addSteerRoutes(app, site)
  addRowPieces(app, site)
  addRowPage(app, site)
  addResolve(app, site)
  addRiskPage(app, site)
  addDownloads(app, site)
  addParkedPage(app, site)
}

/** Nothing from elsewhere, nothing inline, no frames. */
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

/** Without any referrer a browser would send its own forms with the origin `null`, which says nothing. */
const manners = { referrerPolicy: { policy: 'same-origin' as const }, strictTransportSecurity: false }
