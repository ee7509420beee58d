import type { FastifyInstance } from 'fastify'
import { notFound, Refusal } from '../../operations/refusal.ts'
import { findSpreadsheet } from '../../store/batches/results.ts'
import { recordAudit } from '../../store/people/audit.ts'
import { idIn, lineIn } from '../address.ts'
import type { SiteFor } from '../site/site.ts'

/** Forwards the registry's own spreadsheet of a row. It is fetched on request and not stored. */
export const addSpreadsheet = (app: FastifyInstance, siteFor: SiteFor): void => {
  app.get('/batches/:batch/rows/:line/spreadsheet', { config: { role: 'analyst' } }, async (request, reply) => {
    const site = siteFor(request)
    const { sql, log } = site.engine
    const [id, line] = [idIn(request.params, 'batch'), lineIn(request.params)]
    const found = await findSpreadsheet(sql, id, line)
    if (!found) throw notFound('spreadsheet')
    const stream = await site.openSpreadsheet(found).catch((error) => {
      log.warn({ err: error, batch: id, line }, 'spreadsheet not fetched')
      throw new Refusal(409, 'no_spreadsheet', 'The registry cannot provide its spreadsheet now')
    })
    await recordAudit(sql, request.visitor?.name ?? '', 'download', `batch ${id} line ${line}`, { file: 'spreadsheet' })
    return reply
      .header('content-disposition', `attachment; filename="${id}-${line}.xlsx"`)
      .header('cache-control', 'no-store')
      .type('application/vnd.openxmlformats-officedocument.spreadsheetml.sheet')
      .send(stream)
  })
}
