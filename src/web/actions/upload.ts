import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Submission, type Submitted, submitFile } from '../../batches/submit.ts'
import { isReportFormat, type ReportFormat } from '../../domain/batch.ts'
import { isKind, type Kind } from '../../domain/kind.ts'
import { isLanguage, type Language } from '../../domain/languages.ts'
import { checkForm } from '../access/guard.ts'
import { Refusal } from '../refusals.ts'
import type { Site } from '../site.ts'
import { freshSince } from './steering.ts'

/** Takes a file as it streams in. Nothing is spent: the batch waits until someone has seen what it will cost. */
export const addUpload = (app: FastifyInstance, site: Site): void => {
  app.post('/batches', { config: { role: 'ops' } }, async (request, reply) => {
    const { batchId, repeated } = await receiveFile(site, request, { confirmAbove: -1 })
    return reply.redirect(`/batches/${batchId}${repeated ? '?notice=repeated' : ''}`, 303)
  })
}

/** The fields of the form come before the file, which is stored while it arrives. */
export const receiveFile = async (
  site: Site,
  request: FastifyRequest,
  { confirmAbove }: Pick<Submission, 'confirmAbove'>,
): Promise<Submitted> => {
  const fields: Record<string, string> = {}
  for await (const part of request.parts()) {
    if (part.type === 'field') fields[part.fieldname] = String(part.value)
    else if (part.filename) {
      checkForm(request, fields.csrf ?? request.headers['x-csrf-token'])
      const submission = submissionOf(site, request, fields, part.filename)
      return submitFile(site.engine.sql, site.engine.boss, { ...submission, confirmAbove, bytes: wholeFile(part.file) })
    } else part.file.resume()
  }
  throw new Refusal(422, 'wrong_request', ['no_file'])
}

/** A file that was cut at the limit ends like any other; only its mark tells, and then nothing of it is kept. */
async function* wholeFile(file: AsyncIterable<Uint8Array> & { truncated: boolean }): AsyncGenerator<Uint8Array> {
  yield* file
  if (file.truncated) throw new Refusal(413, 'too_large', 'The file is larger than web.maxUploadBytes allows')
}

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
    maxSpend: leastOf(limitOf(fields.maxSpend), site.settings.budget.perBatch),
    encoding: fields.encoding === 'same' ? 'same' : 'utf8',
    format: formatOf(fields.format),
    language: languageOf(fields.language),
    spreadsheets: false,
    freshSince: freshSince(site, kind),
  }
}

const kindOf = (text = 'analysis'): Kind => {
  if (isKind(text)) return text
  throw new Refusal(422, 'wrong_request', ['no_kind', JSON.stringify(text.slice(0, 40))])
}

const formatOf = (text = ''): ReportFormat | undefined => {
  if (text === '' || isReportFormat(text)) return text || undefined
  throw new Refusal(422, 'wrong_request', ['no_format', JSON.stringify(text.slice(0, 40))])
}

/** Also what a download may ask for. */
export const languageOf = (text = ''): Language | undefined => {
  if (text === '' || isLanguage(text)) return text || undefined
  throw new Refusal(422, 'wrong_request', ['no_language', JSON.stringify(text.slice(0, 40))])
}

const organizationOf = ({ engine }: Site, text: string | undefined): number => {
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

const leastOf = (...limits: (number | null)[]): number | null => {
  const set = limits.filter((limit) => limit !== null)
  return set.length > 0 ? Math.min(...set) : null
}
