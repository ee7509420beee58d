import type { FastifyInstance, FastifyRequest } from 'fastify'
import { checkRole } from '../../operations/operation.ts'
import { Refusal } from '../../operations/refusal.ts'
import type { Site, SiteFor } from '../site/site.ts'
import { checkBounds } from './bounds.ts'
import { identify } from './sessions.ts'

/** Checks every request first: the host it was sent to, who sends it, and whether the role allows it. */
export const addGuard = (app: FastifyInstance, site: Site, siteFor: SiteFor): void => {
  app.decorateRequest('visitor', null)
  app.addHook('onRequest', async (request) => {
    checkCharacters(request)
    checkHost(site, request)
    checkOrigin(request)
    const needed = request.is404 ? 'analyst' : (request.routeOptions.config.role ?? 'admin')
    request.visitor = request.url.startsWith('/assets/') ? null : await identify(site, request)
    await checkBounds(siteFor, request)
    if (needed === 'everyone') return
    if (!request.visitor) throw refusalOf(request)
    checkRole(request.visitor, needed)
  })
  app.addHook('preValidation', async ({ body }) => checkTexts(body))
}

const refusalOf = ({ headers }: FastifyRequest): Refusal =>
  headers.authorization
    ? new Refusal(401, 'wrong_token', 'There is no operator with this token, or it has expired')
    : new Refusal(401, 'not_signed_in', 'Sign in, or send an operator’s token as a bearer')

/**
 * Checks the CSRF token of our own forms: a session cookie does not prove which page made the browser send the request.
 * A browser never sends a bearer token by itself.
 */
export const checkForm = ({ visitor }: FastifyRequest, given: unknown): void => {
  if (visitor && (visitor.csrf === null || visitor.csrf === given)) return
  throw new Refusal(403, 'stale_form', 'The form is from another session: reload the page')
}

/** No text in PostgreSQL contains a NUL, so such an address can find nothing. */
const checkCharacters = ({ url }: FastifyRequest): void => {
  if (url.includes('%00')) throw new Refusal(400, 'wrong_request', 'The address contains a NUL character')
}

/** Half a character of JSON, such as `\\ud800`, is no text: PostgreSQL would fail over it. */
const checkTexts = (body: unknown): void => {
  JSON.stringify(body, (_, value) => {
    if (typeof value !== 'string' || value.isWellFormed()) return value
    throw new Refusal(400, 'wrong_request', 'The request holds half a character')
  })
}

/** A page on loopback is reached by the names of this machine alone: a foreign name that points here is an attack. */
const checkHost = ({ settings }: Site, { host }: FastifyRequest): void => {
  if (!settings.web.loopback) return
  const name = host.replace(/:\d+$/, '')
  if (!['localhost', '127.0.0.1', '[::1]', settings.web.host].includes(name)) {
    throw new Refusal(400, 'wrong_host', 'This page is only available at localhost')
  }
}

/** Browsers send the origin of a form; a client that sends none is not a browser. */
const checkOrigin = ({ method, headers, host }: FastifyRequest): void => {
  if (method === 'GET' || method === 'HEAD' || !headers.origin) return
  if (URL.parse(headers.origin)?.host !== host) {
    throw new Refusal(403, 'stale_form', `The request comes from another page`)
  }
}
