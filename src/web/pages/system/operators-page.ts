import type { FastifyInstance } from 'fastify'
import { perform } from '../../../operations/operation.ts'
import { type OperatorShown, operatorOperations } from '../../../operations/operators.ts'
import { type Role, roles } from '../../../store/people/operators.ts'
import { type Html, html } from '../../../writing/html.ts'
import { checkForm } from '../../access/guard.ts'
import { buttonForm, hiddenCsrf, select } from '../../parts/form.ts'
import { layout } from '../../parts/layout.ts'
import { contextOf, type SiteFor } from '../../site/site.ts'
import { operationForm, page, sendHtml, type Visit, visitOf } from '../../visit.ts'

const url = '/system/operators'

/** Who may sign in. The token of a new operator is in the answer to the form, and nowhere else. */
export const addOperatorsPage = (app: FastifyInstance, siteFor: SiteFor): void => {
  page(app, siteFor, 'admin', url, (visit) => operatorsPage(visit))
  app.post(url, { config: { role: 'admin' } }, async (request, reply) => {
    const { csrf, name, role, organization, days } = (request.body ?? {}) as Record<string, string>
    checkForm(request, csrf)
    const visit = visitOf(siteFor, request, reply)
    const given = { name, role, ...(organization && { organization }), ...(days && { expires: `${days}d` }) }
    const added = await perform(operatorOperations.add, contextOf(visit.site, visit.visitor), given)
    return sendHtml(reply, await operatorsPage(visit, added))
  })
  operationForm(app, siteFor, operatorOperations.changeRole, `${url}/role`, () => url)
  operationForm(app, siteFor, operatorOperations.remove, `${url}/remove`, () => url)
}

const operatorsPage = async (visit: Visit, added?: { name: string; token: string }): Promise<Html> => {
  const { labels } = visit
  const { operators: of } = labels
  const { operators: known } = await perform(operatorOperations.list, contextOf(visit.site, visit.visitor))
  const body = html`<p class="eyebrow"><a href="/system">${labels.system.title}</a></p><h1>${of.title}</h1>
    ${added && html`<p class="notice" role="status">${of.token(added.name)}<br><code>${added.token}</code></p>`}
    <section aria-label="${of.title}">${
      known.length === 0
        ? html`<p class="empty">${of.empty}</p>`
        : html`<div class="table-scroll"><table class="cards"><thead><tr><th scope="col">${of.name}</th><th scope="col">${of.role}</th><th scope="col">${of.organizations}</th><th scope="col">${of.expires}</th><th scope="col">${of.added}</th><th></th></tr></thead>
      <tbody>${known.map((each) => row(visit, each))}</tbody></table></div>`
    }</section>
    ${addForm(visit)}`
  return layout(visit, { title: of.title, section: 'system', body })
}

const row = (visit: Visit, { name, role, organizations, expires, added }: OperatorShown): Html => {
  const { labels, format } = visit
  const { operators: of, terms } = labels
  const isOther = name !== visit.visitor.name
  const remove = { action: `${url}/remove`, label: of.remove, look: 'danger', ask: of.removeAsk(name) } as const
  return html`<tr><th scope="row">${name}</th><td data-label="${of.role}">${terms.roles[role]}</td>
    <td data-label="${of.organizations}">${organizations?.join(', ') ?? of.all}</td><td data-label="${of.expires}">${expires ? format.moment(new Date(expires)) : '–'}</td>
    <td data-label="${of.added}">${format.moment(new Date(added))}</td>
    <td>${isOther && html`<div class="actions"><form class="filter" method="post" action="${url}/role">${hiddenCsrf(visit)}<input type="hidden" name="name" value="${name}">${roleSelect(visit, role)}<button>${of.change}</button></form>${buttonForm(visit, { ...remove, fields: { name } })}</div>`}</td></tr>`
}

const roleSelect = ({ labels }: Visit, chosen: Role): Html => {
  const options = roles.map((value) => ({ value, label: labels.terms.roles[value] }))
  return select('role', labels.operators.role, options, chosen)
}

const addForm = (visit: Visit): Html => {
  const { labels, site } = visit
  const { operators: of } = labels
  const organizations = site.engine.accounts.map(({ organizationId, name }) => ({
    value: String(organizationId),
    label: name ?? String(organizationId),
  }))
  return html`<section aria-labelledby="add-title"><h2 id="add-title">${of.add}</h2><form class="filter" method="post" action="${url}">${hiddenCsrf(visit)}
    <label class="field"><span>${of.name}</span><input name="name" required maxlength="60" autocomplete="off"></label>
    ${roleSelect(visit, 'analyst')}
    ${organizations.length > 1 && select('organization', of.organizations, [{ value: '', label: of.all }, ...organizations], '')}
    <label class="field"><span>${of.days}</span><input name="days" inputmode="numeric" pattern="\\d{1,4}" maxlength="4" autocomplete="off"></label>
    <button class="primary">${of.add}</button></form></section>`
}
