import type { FastifyInstance, FastifyRequest } from 'fastify'
import { purposeFor } from '../../batches/purpose.ts'
import type { Submission } from '../../batches/submit.ts'
import { submitOrKeep } from '../../batches/uploads.ts'
import { batchLimit } from '../../domain/amount.ts'
import { isReportEncoding, isReportFormat, type ReportEncoding, type ReportFormat } from '../../domain/batch.ts'
import type { DocumentType } from '../../domain/document.ts'
import { freshSinceOf } from '../../domain/fresh-since.ts'
import { isKind, type Kind } from '../../domain/kind.ts'
import { legalBases } from '../../domain/purpose.ts'
import { columnTwice } from '../../files/columns/column-twice.ts'
import type { ColumnNames, ReadOptions } from '../../files/columns/read-options.ts'
import { type ColumnRole, isColumnRole } from '../../files/columns/roles.ts'
import { isLanguage, type Language } from '../../messages/languages.ts'
import { Refusal } from '../../operations/refusal.ts'
import { checkForm } from '../access/guard.ts'
import type { Site, SiteFor } from '../site/site.ts'

/**
 * Reads a file while it arrives. Nothing is spent: the batch needs approval of its cost. If the columns of the file are
 * not certain, the file is stored and the person is asked.
 */
export const addUpload = (app: FastifyInstance, siteFor: SiteFor): void => {
  app.post('/batches', { config: { role: 'ops', upload: true } }, async (request, reply) => {
    const site = siteFor(request)
    const { sql, boss } = site.engine
    const taken = await receiveFile(site, request, (submission) => submitOrKeep(sql, boss, submission))
    if ('upload' in taken) return reply.redirect(`/uploads/${taken.upload}`, 303)
    return reply.redirect(`/batches/${taken.batchId}${taken.repeated ? '?notice=repeated' : ''}`, 303)
  })
}

/** Stores the file of a form as an upload whose columns a person will choose. */
export const receiveFile = <T>(
  site: Site,
  request: FastifyRequest,
  take: (submission: Submission) => Promise<T>,
): Promise<T> =>
  receivePart(request, (fields, { name, bytes }) =>
    take({ ...submissionOf(site, request, fields, name), confirmAbove: -1, bytes }),
  )

/**
 * The fields of the form come before the file, which is read while it arrives. One that comes after it is refused with
 * the file: it could be the limit of what the file may spend.
 */
export const receivePart = async <T>(
  request: FastifyRequest,
  take: (fields: Record<string, string>, file: { name: string; bytes: AsyncIterable<Uint8Array> }) => Promise<T>,
): Promise<T> => {
  const fields: Record<string, string> = {}
  const parts = request.parts()
  for await (const part of parts) {
    if (part.type === 'field') addField(fields, part.fieldname, String(part.value))
    else if (part.filename) {
      checkForm(request, fields.csrf ?? request.headers['x-csrf-token'])
      return await take(fields, { name: part.filename, bytes: completeFile(part.file, parts) })
    } else part.file.resume()
  }
  throw new Refusal(422, 'wrong_request', ['no_file'])
}

/** A field `column` may come several times, as `documento=Doc. Cliente`. */
const addField = (fields: Record<string, string>, name: string, value: string): void => {
  if (name !== 'column') {
    fields[name] = value
    return
  }
  const [role = '', header = ''] = splitOnce(value)
  fields[`header-${value}`] = header
  fields[`role-${value}`] = role
}

const splitOnce = (text: string): string[] => {
  const at = text.indexOf('=')
  return at < 0 ? [text] : [text.slice(0, at).trim(), text.slice(at + 1)]
}

/** How a form says to read a file: `role-N` is the role of the column with the header `header-N`. */
export const choiceIn = (fields: Record<string, string | undefined>): ReadOptions => {
  const columns: ColumnNames = {}
  for (const [name, text] of Object.entries(fields)) {
    if (!text || !name.startsWith('role-')) continue
    const role = roleIn(text)
    const header = fields[`header-${name.slice(5)}`] ?? ''
    const problem = columnTwice(columns, role, header)
    if (problem) throw new Refusal(422, 'wrong_request', problem)
    columns[role] = header
  }
  return {
    ...(Object.keys(columns).length > 0 && { columns }),
    sheet: fields.sheet || undefined,
    headerLine: lineIn(fields.headerLine),
    documentType: documentTypeIn(fields.documentType),
  }
}

/** The legal basis and the text of a form, as `--purpose` has them. */
export const purposeIn = ({ legalBasis, purpose }: Record<string, string | undefined>): string => {
  if (legalBasis && !legalBases.some((name) => name === legalBasis))
    throw new Refusal(422, 'wrong_request', [
      'no_legal_basis',
      JSON.stringify(legalBasis.slice(0, 40)),
      legalBases.join(', '),
    ])
  return [legalBasis, purpose?.trim()].filter(Boolean).join(': ')
}

const roleIn = (text: string): ColumnRole => {
  if (isColumnRole(text)) return text
  throw new Refusal(422, 'wrong_request', ['no_role', JSON.stringify(text.slice(0, 40))])
}

const lineIn = (text = ''): number | undefined => {
  if (text.trim() === '') return undefined
  if (/^(0|[1-9]\d{0,8})$/.test(text.trim())) return Number(text)
  throw new Refusal(422, 'wrong_request', ['no_line_number'])
}

const documentTypeIn = (text = ''): DocumentType | undefined => {
  if (text === '') return undefined
  if (text === 'CPF' || text === 'CNPJ') return text
  throw new Refusal(422, 'wrong_request', ['no_document_type', JSON.stringify(text.slice(0, 40))])
}

/** A file that was cut at the limit ends like any other, except that `truncated` is set. Nothing of it is stored. */
async function* completeFile(
  file: AsyncIterable<Uint8Array> & { truncated: boolean },
  parts: ReturnType<FastifyRequest['parts']>,
): AsyncGenerator<Uint8Array> {
  yield* file
  if (file.truncated) throw new Refusal(413, 'too_large', 'The file is larger than web.maxUploadBytes allows')
  const { value: next } = await parts.next()
  if (next?.type === 'field') throw new Refusal(400, 'wrong_request', ['field_after_file', next.fieldname.slice(0, 40)])
}

export const freshSince = ({ engine, settings }: Site, kind: Kind): Date =>
  freshSinceOf(settings.forKind[kind], engine.clock())

const submissionOf = (
  site: Site,
  request: FastifyRequest,
  fields: Record<string, string>,
  fileName: string,
): Omit<Submission, 'bytes' | 'confirmAbove'> => {
  const kind = kindOf(fields.kind)
  return {
    fileName: fileName.slice(0, 255),
    organizationId: organizationOf(site, fields.organization),
    kind,
    source: 'page',
    by: request.visitor?.name ?? '',
    maxSpend: batchLimit(site.settings.budget, limitOf(fields.maxSpend)),
    encoding: encodingIn(fields.encoding),
    format: formatOf(fields.format),
    language: languageOf(fields.language),
    spreadsheets: false,
    purpose: purposeFor(site.settings.purpose, purposeIn(fields)),
    freshSince: freshSince(site, kind),
    choice: choiceIn(fields),
  }
}

const kindOf = (text = 'analysis'): Kind => {
  if (isKind(text)) return text
  throw new Refusal(422, 'wrong_request', ['no_kind', JSON.stringify(text.slice(0, 40))])
}

const encodingIn = (text = ''): ReportEncoding => {
  if (text === '' || isReportEncoding(text)) return text || 'utf8'
  throw new Refusal(422, 'wrong_request', ['no_encoding', JSON.stringify(text.slice(0, 40))])
}

const formatOf = (text = ''): ReportFormat | undefined => {
  if (text === '' || isReportFormat(text)) return text || undefined
  throw new Refusal(422, 'wrong_request', ['no_format', JSON.stringify(text.slice(0, 40))])
}

/** The language in a form or in the address of a download. */
export const languageOf = (text = ''): Language | undefined => {
  if (text === '' || isLanguage(text)) return text || undefined
  throw new Refusal(422, 'wrong_request', ['no_language', JSON.stringify(text.slice(0, 40))])
}

export const organizationOf = ({ engine }: Site, text: string | undefined): number => {
  const { organizationId } = engine.accounts[0] ?? {}
  const wanted = text ? Number(text) : organizationId
  if (engine.accounts.some((account) => account.organizationId === wanted)) return wanted as number
  throw new Refusal(422, 'wrong_request', ['no_organization', JSON.stringify(text?.slice(0, 40) ?? '')])
}

const limitOf = (text = ''): number | null => {
  if (text.trim() === '') return null
  if (/^\d{1,9}$/.test(text.trim())) return Number(text)
  throw new Refusal(422, 'wrong_request', ['no_number'])
}
