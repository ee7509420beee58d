import { createReadStream } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { exportBatch } from '../../batches/export.ts'
import { maskDocuments } from '../../domain/mask-documents.ts'
import { recordAudit } from '../../store/people/audit.ts'
import { idIn, queryText } from '../address.ts'
import { notFound } from '../refusals.ts'
import type { Site } from '../site.ts'

const files = {
  report: { ending: 'report.csv', type: 'text/csv' },
  rejects: { ending: 'rejects.csv', type: 'text/csv' },
  manifest: { ending: 'manifest.json', type: 'application/json' },
} as const

/**
 * Gives out a file of a batch as of now. It is written anew from the database, so that every worker can serve it,
 * and nothing that anybody typed becomes a path.
 */
export const addDownloads = (app: FastifyInstance, site: Site, prefix = ''): void => {
  app.get(`${prefix}/batches/:batch/files/:what`, { config: { role: 'analyst' } }, async (request, reply) => {
    const what = queryText(request.params, 'what') as keyof typeof files
    if (!Object.hasOwn(files, what)) throw notFound('file')
    return sendFile(site, request, reply, what)
  })
}

const sendFile = async (
  { engine, settings }: Site,
  request: FastifyRequest,
  reply: FastifyReply,
  what: keyof typeof files,
): Promise<FastifyReply> => {
  const id = idIn(request.params, 'batch')
  const folder = await mkdtemp(join(tmpdir(), 'vigia-download-'))
  const clearAway = () => rm(folder, { recursive: true, force: true })
  try {
    const options = { folder, timezone: settings.timezone, now: engine.clock() }
    const { report, rejects, manifestPath, manifest } = await exportBatch(engine.sql, id, options)
    const path = { report, rejects, manifest: manifestPath }[what]
    await recordAudit(engine.sql, request.visitor?.name ?? '', 'download', `batch ${id}`, { file: what })
    const stream = createReadStream(path)
    stream.once('close', clearAway)
    return reply
      .header('content-disposition', disposition(`${savedName(manifest.name)}.${id}.${files[what].ending}`))
      .header('content-length', (await stat(path)).size)
      .header('cache-control', 'no-store')
      .type(`${files[what].type}; charset=utf-8`)
      .send(stream)
  } catch (error) {
    await clearAway()
    throw error
  }
}

/** A masked document holds signs that no name of a file may. */
const savedName = (name: string): string => maskDocuments(name).replace(/[*/]/g, '_')

/** Old clients read the plain name, all others the one with every letter. */
const disposition = (name: string): string =>
  `attachment; filename="${name.replace(/[^\w .-]/g, '_')}"; filename*=UTF-8''${encodeURIComponent(name)}`
