import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
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
    const file = borrowedPath(path)
    app.get(`/assets/${name}`, (_, reply) => reply.sendFile(file.name, file.folder, { maxAge: '1d' }))
  }
}

/** A package may export only its entry point, so its folder is derived from that path. */
const borrowedPath = (path: string): { folder: string; name: string } => {
  const [name = '', ...inside] = path.split('/')
  const entry = require.resolve(name)
  const root = entry.slice(0, entry.lastIndexOf(join('node_modules', name)) + join('node_modules', name).length)
  const full = join(root, ...inside)
  return { folder: dirname(full), name: inside.at(-1) as string }
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
