import type { FastifyInstance } from 'fastify'
import { type Kind, spendingKinds } from '../../../domain/kind.ts'
import { portfolioKinds } from '../../../domain/portfolio.ts'
import { lookupOperations } from '../../../operations/lookups.ts'
import { perform } from '../../../operations/operation.ts'
import type { PersonRecord } from '../../../views/person-record.ts'
import { type Html, html } from '../../../writing/html.ts'
import { priceText } from '../../parts/facts.ts'
import { hiddenCsrf, select } from '../../parts/form.ts'
import { purposeInputs } from '../../parts/purpose-inputs.ts'
import { contextOf, type SiteFor } from '../../site/site.ts'
import { action, type Visit } from '../../visit.ts'

/** A button for each kind, with its price: pressing it approves that. */
export const lookupSection = (visit: Visit, { type }: PersonRecord, address: string): Html => {
  const { labels, site } = visit
  const organizations = site.engine.accounts.map(({ organizationId, name }) => ({
    value: String(organizationId),
    label: name ?? String(organizationId),
  }))
  const cost = (kind: Kind) =>
    costOf(kind) === 0 ? labels.person.free : (priceText(visit, kind, 1) ?? labels.person.paid)
  return html`<section aria-labelledby="look-up-title"><h2 id="look-up-title">${labels.person.lookup}</h2><p>${labels.person.lookupHint}</p>
    <form class="filter" method="post" action="${address}">${hiddenCsrf(visit)}
      ${organizations.length > 1 && select('organization', labels.upload.organization, organizations, organizations[0]!.value)}
      ${site.settings.scr.requireAuthorization && html`<label class="field"><span>${labels.terms.columnRoles.autorizacao}</span><input name="authorization" maxlength="500" autocomplete="off"></label>`}
      ${purposeInputs(visit, site.settings.purpose.default, site.settings.purpose.required)}
      ${portfolioKinds.filter((kind) => kind !== 'cnh' || type === 'CPF').map((kind) => html`<button name="kind" value="${kind}">${labels.person.lookUp(labels.terms.kinds[kind], cost(kind))}</button>`)}
    </form></section>`
}

/** What the button of a kind approves. */
const costOf = (kind: Kind): number => (spendingKinds.includes(kind) ? 1 : 0)

export const addLookupForm = (app: FastifyInstance, siteFor: SiteFor, documentOf: (visit: Visit) => string): void => {
  action(app, siteFor, 'ops', '/person/:person/lookup', async (visit, { csrf: _, ...form }) => {
    const filled = Object.fromEntries(Object.entries(form).filter(([, text]) => text !== ''))
    const { batch } = await perform(lookupOperations.lookUp, contextOf(visit.site, visit.visitor), {
      ...filled,
      document: documentOf(visit),
      maxSpend: costOf(form.kind as Kind),
      name: visit.labels.person.lookupName,
    })
    return `/batches/${batch}`
  })
}
