import type { FastifyReply } from 'fastify'
import { csvOfTable, type TableToTake, workbookOfTable } from '../../batches/table-file.ts'
import { recordAudit } from '../../store/people/audit.ts'
import type { Visit } from '../visit.ts'

const types = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const

/** Gives a table out as a file; that somebody took it is on record. */
export const sendTable = async (
  { site, reply, visitor }: Pick<Visit, 'site' | 'reply' | 'visitor'>,
  table: TableToTake,
  { format, name, subject }: { format: keyof typeof types; name: string; subject: string },
): Promise<FastifyReply> => {
  await recordAudit(site.engine.sql, visitor.name, 'download', subject, { file: `${name}.${format}` })
  return reply
    .header('content-disposition', `attachment; filename="${subject.replaceAll(' ', '-')}.${name}.${format}"`)
    .header('cache-control', 'no-store')
    .type(types[format])
    .send(format === 'csv' ? csvOfTable(table) : workbookOfTable(table, site.engine.clock()))
}
