import { perform } from '../../../operations/operation.ts'
import { type OperatorShown, operatorOperations } from '../../../operations/operators.ts'
import { type Role, roles } from '../../../store/people/operators.ts'
import { type Html, html } from '../../../writing/html.ts'
import { buttonForm, hiddenCsrf, organizationSelect, select } from '../../parts/form.ts'
import { layout } from '../../parts/layout.ts'
import type { Pages, Visit } from '../../visit.ts'

const url = '/system/operators'

/** Who may sign in. The token of a new operator is in the answer to the form, and nowhere else. */
export const addOperatorsPage = ({ page, action, operationForm }: Pages): void => {
  page('admin', url, (visit) => operatorsPage(visit))
  action('admin', url, async (visit, { name, role, organization, days }) => {
    const given = { name, role, ...(organization && { organization }), ...(days && { expires: `${days}d` }) }
    return operatorsPage(visit, await perform(operatorOperations.add, visit, given))
  })
  operationForm(operatorOperations.changeRole, `${url}/role`, () => url)
  operationForm(operatorOperations.remove, `${url}/remove`, () => url)
}

const operatorsPage = async (visit: Visit, added?: { name: string; token: string }): Promise<Html> => {
  const { labels } = visit
  const { operators: of } = labels
  const { operators: known } = await perform(operatorOperations.list, visit)
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
  const { operators: of } = visit.labels
  return html`<section aria-labelledby="add-title"><h2 id="add-title">${of.add}</h2><form class="filter" method="post" action="${url}">${hiddenCsrf(visit)}
    <label class="field"><span>${of.name}</span><input name="name" required maxlength="60" autocomplete="off"></label>
    ${roleSelect(visit, 'analyst')}
    ${organizationSelect(visit, of.organizations, of.all)}
    <label class="field"><span>${of.days}</span><input name="days" inputmode="numeric" pattern="\\d{1,4}" maxlength="4" autocomplete="off"></label>
    <button class="primary">${of.add}</button></form></section>`
}
