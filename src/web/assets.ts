import { createRequire } from 'node:module'
import { join, parse } from 'node:path'
import staticFiles from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { schemaStatus } from '../store/migrate.ts'
import type { Site } from './site/site.ts'

const require = createRequire(import.meta.url)

/** Third-party files that the page uses. Our own server sends them, never another host. */
const borrowed: Record<string, string> = {
  'htmx.min.js': 'htmx.org/dist/htmx.min.js',
  'hx-sse.min.js': 'htmx.org/dist/ext/hx-sse.min.js',
  'uPlot.iife.min.js': 'uplot/dist/uPlot.iife.min.js',
  'uPlot.min.css': 'uplot/dist/uPlot.min.css',
}

/** Serves /assets: our own files, and the third-party ones by name. */
export const addAssets = async (app: FastifyInstance): Promise<void> => {
  await app.register(staticFiles, {
    root: join(import.meta.dirname, 'public'),
    prefix: '/assets/',
    index: false,
    maxAge: '5m',
  })
  for (const [name, path] of Object.entries(borrowed)) {
    const { dir, base } = parse(require.resolve(path))
    app.get(`/assets/${name}`, (_, reply) => reply.sendFile(base, dir, { maxAge: '1d' }))
  }
}

/** For orchestrators: `/healthz` says that the process is alive, `/readyz` that it should get requests. */
export const addHealth = (app: FastifyInstance, { sql, draining }: Site): void => {
  const open = { config: { role: 'everyone' as const } }
  app.get('/healthz', open, async () => ({ status: 'alive' }))
  app.get('/readyz', open, async (_, reply) => {
    const checks = { database: await databaseCheck(sql), draining: draining.aborted ? 'yes' : 'no' }
    const ready = checks.database === 'current' && checks.draining === 'no'
    return reply.code(ready ? 200 : 503).send({ status: ready ? 'ready' : 'not ready', ...checks })
  })
}

const databaseCheck = async (sql: Site['sql']): Promise<string> => {
  try {
    const { missing, unknown, edited } = await schemaStatus(sql)
    if (unknown.length > 0) return 'migrated by a newer version'
    return missing.length + edited.length > 0 ? 'schema out of date' : 'current'
  } catch {
    return 'unreachable'
  }
}
