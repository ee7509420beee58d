import rateLimit from '@fastify/rate-limit'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { FileProblem } from '../../files/file-problem.ts'
import { type MessageCode, MessageError } from '../../messages/message.ts'
import { Refusal } from '../../operations/operation.ts'
import { recordAudit } from '../../store/people/audit.ts'
import { findOperatorByToken, hashSecret } from '../../store/people/operators.ts'
import { type Html, html } from '../../writing/html.ts'
import { checkForm } from '../access/guard.ts'
import type { Refusals } from '../access/refused.ts'
import { closeSession, openSession } from '../access/sessions.ts'
import { queryText } from '../address.ts'
import { layout } from '../parts/layout.ts'
import { overMessage } from '../parts/live.ts'
import type { Site, SiteFor } from '../site/site.ts'
import { sendHtml, type Visit, visitOf } from '../visit.ts'

/** Reports errors: as text to people, as JSON to machines. The details of internal errors go only to the log. */
export const addErrorPages = (app: FastifyInstance, siteFor: SiteFor, refusals: Refusals): void => {
  app.setNotFoundHandler({ preHandler: async () => undefined }, (request, reply) =>
    answer(siteFor, request, reply, new Refusal(404, 'not_found', 'Page not found')),
  )
  app.setErrorHandler(async (error: FastifyError, request, reply) => {
    await refusals.note(request, error)
    return answer(siteFor, request, reply, error)
  })
}

const answer = async (
  siteFor: SiteFor,
  request: FastifyRequest,
  reply: FastifyReply,
  thrown: Error,
): Promise<FastifyReply> => {
  const error = refusalFor(thrown)
  const status = statusOf(error)
  const visit = visitOf(siteFor, request, reply)
  if (status >= 500) visit.log.error({ err: error, route: request.routeOptions.url }, 'request failed')
  reply.code(status)
  if (request.url.startsWith('/api/') || (request.headers.accept ?? '').startsWith('application/json'))
    return reply.send({
      error: status >= 500 ? 'InternalError' : error.name,
      message: status >= 500 ? visit.labels.refusals.incident : error.message,
    })
  if (status === 401 && request.method === 'GET') return leadToSignIn(request, reply)
  if (request.routeOptions.url === '/sign-in')
    return sendHtml(reply, await signInPage(visit, textOf(visit, error, status)))
  if (request.headers['x-requested-with'] === 'vigia')
    return reply.type('text/plain; charset=utf-8').send(textOf(visit, error, status))
  return sendHtml(reply, await errorPage(visit, textOf(visit, error, status)))
}

/** A NUL in a form, a body or a file name is found only by PostgreSQL, which cannot store it. */
const refusalFor = (error: Error): Error =>
  ['22021', '22P05'].includes((error as FastifyError).code)
    ? new Refusal(400, 'wrong_request', 'The request contains a NUL character')
    : error

/** A fragment cannot show the sign-in page, so the browser is asked to leave the page around it. */
const leadToSignIn = ({ headers }: FastifyRequest, reply: FastifyReply): FastifyReply => {
  if (headers.accept?.includes('text/event-stream')) return reply.code(200).type('text/event-stream').send(overMessage)
  if (headers['hx-request']) return reply.header('hx-redirect', '/sign-in').send('')
  return reply.redirect('/sign-in', 303)
}

const statusOf = (error: Error): number => {
  if (error instanceof Refusal) return error.status
  if (error instanceof FileProblem) return 422
  if (error instanceof MessageError) return missing.has(error.reason[0]) ? 404 : 409
  const { statusCode = 500 } = error as FastifyError
  return statusCode >= 400 ? statusCode : 500
}

/** What these name is not there; all others cannot be done now. */
const missing: ReadonlySet<MessageCode> = new Set([
  'no_batch',
  'no_line',
  'no_lookup',
  'no_change',
  'no_portfolio',
  'no_rule',
  'no_operator',
  'no_upload',
  'no_choice',
])

const textOf = (visit: Visit, error: Error, status: number): string => {
  const { labels, format } = visit
  if (error instanceof FileProblem) return problemText(visit, error)
  if (error instanceof MessageError) return format.message(error.reason)
  if (error instanceof Refusal) return error.reason ? format.message(error.reason) : labels.refusals[error.code]
  if (status === 413) return labels.refusals.too_large
  if (status === 429) return labels.refusals.too_many
  return status < 500 ? labels.refusals.wrong_request : labels.refusals.incident
}

const problemText = ({ labels, format }: Visit, { code, reason: message }: FileProblem): string => {
  const text = format.message(message)
  return Object.hasOwn(labels.terms.problems, code)
    ? labels.terms.problems[code as keyof typeof labels.terms.problems]
    : `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`
}

const errorPage = (visit: Visit, text: string): Promise<Html> =>
  layout(visit, {
    title: visit.labels.refusals.title,
    body: html`<h1>${visit.labels.refusals.title}</h1><p class="notice bad" role="alert">${text}</p>
      <p><a class="button" href="/batches">${visit.labels.shell.batches}</a></p>`,
  })

/** Sign-in with a token or with the link in the terminal, and sign-out. Attempts per minute and address are limited. */
export const addSignIn = async (app: FastifyInstance, siteFor: SiteFor): Promise<void> => {
  await app.register(rateLimit, { global: false })
  app.get('/sign-in', { config: { role: 'everyone' } }, async (request, reply) =>
    sendHtml(reply, await signInPage(visitOf(siteFor, request, reply))),
  )
  const slow = { rateLimit: { max: 10, timeWindow: '1 minute' } }
  app.post('/sign-in', { config: { role: 'everyone', ...slow } }, async (request, reply) => {
    const site = siteFor(request)
    const { token, link } = (request.body ?? {}) as Record<string, string>
    const operator = link ? takeLink(site, link) : await operatorOf(site, token ?? '')
    await openSession(site, request, reply, operator)
    await recordAudit(site.sql, operator ?? 'local', 'sign in', 'page')
    return reply.redirect('/batches', 303)
  })
  app.post('/sign-out', { config: { role: 'analyst' } }, async (request, reply) => {
    checkForm(request, (request.body as Record<string, string> | undefined)?.csrf)
    await closeSession(siteFor(request), request, reply)
    return reply.redirect('/sign-in?out=1', 303)
  })
}

const takeLink = ({ link, clock }: Site, secret: string): null => {
  if (link?.use(secret, clock())) return null
  throw new Refusal(401, 'used_link', 'The sign-in link was already used, or is more than ten minutes old')
}

const operatorOf = async ({ sql, clock }: Site, token: string): Promise<string> => {
  const operator = await findOperatorByToken(sql, hashSecret(token.trim()), clock())
  if (operator) return operator.name
  throw new Refusal(401, 'wrong_token', 'There is no operator with this token, or it has expired')
}

/** A sign-in link works only after a click, because chat programs and mail scanners open links by themselves. */
const signInPage = (visit: Visit, problem?: string): Promise<Html> => {
  const { labels, request } = visit
  const link = queryText(request.query, 'link')
  const out = queryText(request.query, 'out')
  const body = html`<div class="sign-in"><img src="/assets/icon.svg" alt="" width="72" height="72">
    <h1>${link ? labels.signIn.linkTitle : 'Vigia'}</h1><p class="lead">${labels.shell.tagline}</p>
    ${out && html`<p class="notice" role="status">${labels.signIn.signedOut}</p>`}
    ${problem && html`<p class="notice bad" role="alert">${problem}</p>`}
    ${link && !problem ? linkForm(visit, link) : tokenForm(visit)}</div>`
  return layout({ ...visit, visitor: { ...visit.visitor, name: '' } }, { title: labels.signIn.title, body })
}

const linkForm = ({ labels }: Visit, link: string): Html => html`<form method="post" action="/sign-in">
  <p>${labels.signIn.linkText}</p><input type="hidden" name="link" value="${link}">
  <button class="primary">${labels.signIn.linkSubmit}</button></form>`

const tokenForm = ({ labels }: Visit): Html => html`<form method="post" action="/sign-in">
  <label class="field"><span>${labels.signIn.token}</span><input type="password" name="token" required autocomplete="current-password" spellcheck="false" aria-describedby="token-hint"></label>
  <small id="token-hint">${labels.signIn.tokenHint}</small>
  <button class="primary">${labels.signIn.title}</button></form>
  <p class="quiet-text">${labels.signIn.noToken} <code>vigia operator add NAME --role ops</code></p>`
