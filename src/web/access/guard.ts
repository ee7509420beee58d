import type { FastifyInstance, FastifyRequest } from 'fastify'
import { checkRole, notFound, Refusal } from '../../operations/operation.ts'
import { boundTo, isOwn, type Owned } from '../../store/bound.ts'
import { findPortfolio } from '../../store/portfolios/portfolios.ts'
import type { Site, SiteFor } from '../site/site.ts'
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

/** Gives each request a site with only the organizations of its visitor. */
export const siteForVisitors =
  (site: Site): SiteFor =>
  ({ visitor }) => {
    const organizations = visitor?.organizations
    if (!organizations) return site
    const accounts = site.accounts.filter(({ organizationId }) => organizations.includes(BigInt(organizationId)))
    return { ...site, accounts, sql: boundTo(site.sql, organizations) }
  }

/**
 * Before a route starts, refuses a visitor of some organizations what belongs to others.
 *
 * What an address names must belong to one of the visitor's organizations. Routes that name nothing are open to them only
 * if they are listed here as leaving out other organizations; a route that is not listed is refused.
 */
const checkBounds = async (siteFor: SiteFor, request: FastifyRequest): Promise<void> => {
  const { url } = request.routeOptions
  if (request.is404 || !url || !request.visitor?.organizations) return
  const bound = siteFor(request)
  const named = Object.entries(request.params as Record<string, string>).filter(([name]) => Object.hasOwn(owners, name))
  if (named.length === 0 && !leavesOutOthers.has(url)) {
    throw new Refusal(403, 'not_bound', `This concerns every organization, ${request.visitor.name} is bound to some`)
  }
  for (const [name, value] of named) if (!(await owners[name as OwnerName](bound, value))) throw notFound(name)
}

type OwnerName = 'organization' | 'batch' | 'earlier' | 'lookup' | 'change' | 'upload' | 'choice' | 'portfolio'

const byNumber =
  (what: Owned) =>
  async ({ sql }: Site, id: string) =>
    /^\d{1,18}$/.test(id) && isOwn(sql, what, id)

/** The parameters of an address, and whether each belongs to an organization of the visitor. */
const owners: Record<OwnerName, (site: Site, value: string) => Promise<boolean>> = {
  organization: async ({ accounts }, id) => accounts.some(({ organizationId }) => String(organizationId) === id),
  batch: byNumber('batch'),
  earlier: byNumber('batch'),
  lookup: byNumber('lookup'),
  change: byNumber('change'),
  upload: byNumber('upload'),
  choice: byNumber('columns'),
  portfolio: async ({ sql }, name) => (await findPortfolio(sql, name)) !== null,
}

/** Routes whose queries are limited to the visitor's organizations (`within`), and routes that show none. */
const leavesOutOthers = new Set([
  '/',
  '/sign-in',
  '/sign-out',
  '/language',
  '/help/:name',
  '/healthz',
  '/readyz',
  '/api/openapi.json',
  '/trouble/live',
  '/batches',
  '/batches/live',
  '/batches/all/:verb',
  '/parked',
  '/person',
  '/person/:person',
  '/person/:person/reveal',
  '/person/:person/lookup',
  '/people/:name',
  '/portfolios',
  '/radars',
  '/radars/:radar',
  '/changes',
  '/changes/:sweep.csv',
  '/changes/:sweep.xlsx',
  '/system',
  '/system/live',
  '/system/audit',
  '/system/lanes/hold',
  '/api/batches',
  '/api/parked',
  '/api/person',
  '/api/people',
  '/api/lookups',
  '/api/portfolios',
  '/api/radars',
  '/api/radars/changes',
  '/api/lanes',
  '/api/columns',
  '/api/usage',
  '/api/audit',
])
