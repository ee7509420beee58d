import type { FastifyInstance } from 'fastify'
import { schemaStatus } from '../store/migrate.ts'
import type { Site } from './site.ts'

/** For whoever keeps the worker running: alive says nothing but that, ready says that it should get visitors. */
export const addHealth = (app: FastifyInstance, { engine }: Site): void => {
  const open = { config: { role: 'everyone' as const } }
  app.get('/healthz', open, async () => ({ status: 'alive' }))
  app.get('/readyz', open, async (_, reply) => {
    const checks = { database: await databaseCheck(engine.sql), draining: engine.draining.aborted ? 'yes' : 'no' }
    const ready = checks.database === 'current' && checks.draining === 'no'
    return reply.code(ready ? 200 : 503).send({ status: ready ? 'ready' : 'not ready', ...checks })
  })
}

const databaseCheck = async (sql: Site['engine']['sql']): Promise<string> => {
  try {
    const { missing, unknown, edited } = await schemaStatus(sql)
    if (unknown.length > 0) return 'migrated by a newer version'
    return missing.length + edited.length > 0 ? 'schema out of date' : 'current'
  } catch {
    return 'unreachable'
  }
}
