import { extname } from 'node:path'
import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { type Labels, labelsIn } from '../messages/labels.ts'
import { isLanguage, type Language } from '../messages/languages.ts'
import { type GivenFile, type Operation, perform, Refusal } from '../operations/operation.ts'
import { mayActAs, type Role } from '../store/people/operators.ts'
import { createFormat, type Format } from '../writing/format.ts'
import type { Html } from '../writing/html.ts'
import { checkForm } from './access/guard.ts'
import { identify, type Visitor } from './access/sessions.ts'
import { contextOf, type SiteFor } from './site/site.ts'

/** One request for a page: the visitor, the language, and what the page and its operations work with. */
export type Visit = ReturnType<typeof contextOf> & {
  request: FastifyRequest
  reply: FastifyReply
  visitor: Visitor
  labels: Labels
  format: Format
  may(role: Role): boolean
}

type Answer = Promise<Html | FastifyReply>
type Upload = Record<string, unknown> & { file: GivenFile }

/** What adds pages and forms to the server; each gets the visit. */
export type Pages = ReturnType<typeof createPages>

export const createPages = (app: FastifyInstance, siteFor: SiteFor) => {
  /** A page, or a piece of one. */
  const page = (role: Role, url: string, show: (visit: Visit) => Answer): void => {
    app.get(url, { config: { role } }, async (request, reply) =>
      send(reply, await show(visitOf(siteFor, request, reply))),
    )
  }
  /** The action of a form; it returns the address to go to, or a page that has no address. */
  const action = (
    role: Role,
    url: string,
    act: (visit: Visit, form: Record<string, string>) => Promise<string | Html>,
  ): void => {
    app.post(url, { config: { role } }, async (request, reply) => {
      const form = (request.body ?? {}) as Record<string, string>
      checkForm(request, form.csrf ?? request.headers['x-csrf-token'])
      return send(reply, await act(visitOf(siteFor, request, reply), form))
    })
  }
  /** A form that performs an operation. Its fields and those of its address are the input; an empty one is left out. */
  const operationForm = <Input extends z.ZodObject, Output extends z.ZodType>(
    operation: Operation<Input, Output>,
    url: string,
    next: (answer: z.output<Output>) => string,
    inputOf = (form: Record<string, string>): Record<string, unknown> => form,
  ): void =>
    action(operation.role, url, async (visit, { csrf, ...form }) => {
      const filled = Object.fromEntries(Object.entries(form).filter(([, text]) => text.trim() !== ''))
      const { params, query } = visit.request as { params: object; query: object }
      return next(await perform(operation, visit, { ...query, ...inputOf(filled), ...params }))
    })
  /** A form that ends with a file. */
  const upload = (url: string, take: (visit: Visit, given: Upload) => Promise<string>): void => {
    app.post(url, { config: { role: 'ops', upload: true } }, async (request, reply) => {
      const visit = visitOf(siteFor, request, reply)
      return send(reply, await receiveFile(request, (given) => take(visit, given)))
    })
  }
  return { page, action, operationForm, upload }
}

const send = (reply: FastifyReply, answer: string | Html | FastifyReply): FastifyReply => {
  if (typeof answer === 'string') return reply.redirect(answer, 303)
  return 'text' in answer ? sendHtml(reply, answer) : answer
}

export const sendHtml = (reply: FastifyReply, { text }: Html): FastifyReply =>
  reply
    .header('vary', 'accept-language, cookie')
    .header('cache-control', 'no-store')
    .type('text/html; charset=utf-8')
    .send(text)

export const downloadTypes = {
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  csv: 'text/csv; charset=utf-8',
  json: 'application/json; charset=utf-8',
} as const

/** Sends a file to save, of the type that its name ends with. Old clients read the ASCII name, all others the one in UTF-8. */
export const sendDownload = (
  reply: FastifyReply,
  name: `${string}.${keyof typeof downloadTypes}`,
  content: string | Readable,
): FastifyReply => {
  const [ascii, utf8] = [name.replace(/[^\w .-]/g, '_'), encodeURIComponent(name)]
  return reply
    .header('content-disposition', `attachment; filename="${ascii}"; filename*=UTF-8''${utf8}`)
    .header('cache-control', 'no-store')
    .type(downloadTypes[extname(name).slice(1) as keyof typeof downloadTypes])
    .send(content)
}

export const visitOf = (siteFor: SiteFor, request: FastifyRequest, reply: FastifyReply): Visit => {
  const site = siteFor(request)
  const visitor = request.visitor ?? nobody
  const labels = chooseLabels(request.headers['accept-language'], request.cookies?.[languageCookie])
  return {
    ...contextOf(site, visitor),
    request,
    reply,
    visitor,
    labels,
    format: createFormat(site.settings.timezone, labels),
    may: (role) => visitor !== nobody && mayActAs(visitor.role, role),
  }
}

/** Whether the visitor who started this request is still signed in with the same rights. */
export const isSameVisitor = async (visit: Visit): Promise<boolean> => {
  const { request, visitor } = visit
  const now = await identify(visit, request)
  return (
    now?.name === visitor.name &&
    now.role === visitor.role &&
    String(now.organizations) === String(visitor.organizations)
  )
}

/** The language a person chose; else the first supported one in the browser's list; else English. */
export const chooseLabels = (acceptLanguage: string | undefined, chosen?: string): Labels =>
  labelsIn(isLanguage(chosen) ? chosen : preferred(acceptLanguage))

/** By primary tag, so that `pt-PT` gets Portuguese. @fastify/accept-negotiator compares full tags, in our order. */
const preferred = (acceptLanguage: string | undefined): Language => {
  const wanted = (acceptLanguage ?? '')
    .split(',')
    .map((entry) => {
      const [tag = '', ...options] = entry.trim().toLowerCase().split(';')
      const weight = options.map((option) => /^\s*q=([\d.]+)$/.exec(option)?.[1]).find(Boolean)
      return { language: tag.split('-')[0] ?? '', weight: Number(weight ?? 1) }
    })
    .sort((a, b) => b.weight - a.weight)
  return wanted.find(({ language }) => language === 'pt' || language === 'en')?.language === 'pt' ? 'pt-BR' : 'en'
}

export const languageCookie = 'vigia_language'
const nobody: Visitor = { name: '', role: 'analyst', organizations: null, csrf: null }

/**
 * Reads a form with a file, which is taken while it arrives. Its fields come before the file. One that comes after it is
 * refused with the file: it could be the limit of what the file may spend. A field left empty is left out.
 */
export const receiveFile = async <T>(request: FastifyRequest, take: (given: Upload) => Promise<T>): Promise<T> => {
  const fields: Record<string, string> = {}
  const column: string[] = []
  let csrf: unknown = request.headers['x-csrf-token']
  const parts = request.parts()
  for await (const part of parts) {
    if (part.type === 'field') {
      const value = String(part.value)
      if (part.fieldname === 'csrf') csrf = value
      else if (part.fieldname === 'column') column.push(value)
      else if (value.trim() !== '') fields[part.fieldname] = value
    } else if (part.filename) {
      checkForm(request, csrf)
      return await take({
        ...fields,
        ...(column.length > 0 && { column }),
        file: { name: part.filename, bytes: completeFile(part.file, parts) },
      })
    } else part.file.resume()
  }
  throw new Refusal(422, 'wrong_request', ['no_file'])
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
