import type { FastifyInstance } from 'fastify'
import { html } from '../html.ts'
import { streamFrames } from '../live.ts'
import type { Site } from '../site.ts'
import { page } from '../visit.ts'

/** For pages that have no stream of their own: every stream brings the bar of trouble along, so an empty one is enough. */
export const addTroubleStream = (app: FastifyInstance, site: Site): void =>
  page(app, site, 'analyst', '/trouble/live', (visit) =>
    streamFrames(visit, async () => ({ shown: html``, over: false }), 2_000),
  )
