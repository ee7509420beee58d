import type { FastifyRequest } from 'fastify'
import { notFound, Refusal } from '../../operations/refusal.ts'
import { boundTo, isOwn, type Owned } from '../../store/bound.ts'
import { findPortfolio } from '../../store/portfolios/portfolios.ts'
import type { Site, SiteFor } from '../site/site.ts'

/** Gives each request a site with only the organizations of its visitor. */
export const siteForVisitors =
  (site: Site): SiteFor =>
  ({ visitor }) => {
    const organizations = visitor?.organizations
    if (!organizations) return site
    const { engine } = site
    const accounts = engine.accounts.filter(({ organizationId }) => organizations.includes(BigInt(organizationId)))
    return { ...site, engine: { ...engine, accounts, sql: boundTo(engine.sql, organizations) } }
  }

/**
 * Before a route starts, refuses a visitor of some organizations what belongs to others.
 *
 * What an address names must belong to one of the visitor's organizations. Routes that name nothing are open to them only
 * if they are listed here as leaving out other organizations; a route that is not listed is refused.
 */
export const checkBounds = async (siteFor: SiteFor, request: FastifyRequest): Promise<void> => {
  const { url } = request.routeOptions
  if (request.is404 || !url || !request.visitor?.organizations) return
  const { engine } = siteFor(request)
  const named = Object.entries(request.params as Record<string, string>).filter(([name]) => Object.hasOwn(owners, name))
  if (named.length === 0 && !leavesOutOthers.has(url)) {
    throw new Refusal(403, 'not_bound', `This concerns every organization, ${request.visitor.name} is bound to some`)
  }
  for (const [name, value] of named) if (!(await owners[name as OwnerName](engine, value))) throw notFound(name)
}

type Engine = Site['engine']
type OwnerName = 'organization' | 'batch' | 'earlier' | 'lookup' | 'change' | 'upload' | 'choice' | 'portfolio'

const byNumber =
  (what: Owned) =>
  async ({ sql }: Engine, id: string) =>
    /^\d{1,18}$/.test(id) && isOwn(sql, what, id)

/** The parameters of an address, and whether each belongs to an organization of the visitor. */
const owners: Record<OwnerName, (engine: Engine, value: string) => Promise<boolean>> = {
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
