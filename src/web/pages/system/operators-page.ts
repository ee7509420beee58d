import type { FastifyInstance } from 'fastify'
import { Refusal } from '../../../operations/refusal.ts'
import { recordAudit } from '../../../store/people/audit.ts'
import {
  changeRole,
  deleteOperator,
  insertOperator,
  isOperatorName,
  listOperators,
  type Operator,
  type Role,
  roles,
} from '../../../store/people/operators.ts'
import { type Html, html } from '../../../writing/html.ts'
import { checkForm } from '../../access/guard.ts'
import { createToken, hashSecret } from '../../access/visitor.ts'
import { organizationOf } from '../../actions/upload.ts'
import { buttonForm, hiddenCsrf, select } from '../../parts/form.ts'
import { layout } from '../../parts/layout.ts'
import type { Site, SiteFor } from '../../site/site.ts'
import { action, page, sendHtml, type Visit, visitOf } from '../../visit.ts'

const url = '/system/operators'
const day = 86_400_000
type Form = Record<string, string>

/** Who may sign in. The token of a new operator is in the answer to the form, and nowhere else. */
export const addOperatorsPage = (app: FastifyInstance, siteFor: SiteFor): void => {
  page(app, siteFor, 'admin', url, (visit) => operatorsPage(visit))
  app.post(url, { config: { role: 'admin' } }, async (request, reply) => {
    const form = (request.body ?? {}) as Form
    checkForm(request, form.csrf)
    const visit = visitOf(siteFor, request, reply)
    return sendHtml(reply, await operatorsPage(visit, await addOperator(visit, form)))
  })
  action(app, siteFor, 'admin', `${url}/role`, async (visit, { name = '', role }) => {
    await change(visit, name, 'change role', (sql) => changeRole(sql, name, roleIn(role)), { role: roleIn(role) })
    return url
  })
  action(app, siteFor, 'admin', `${url}/remove`, async (visit, { name = '' }) => {
    await change(visit, name, 'remove operator', (sql) => deleteOperator(sql, name))
    return url
  })
}

const roleIn = (text = ''): Role => {
  const role = roles.find((each) => each === text)
  if (role) return role
  throw new Refusal(422, 'wrong_request', `There is no role ${JSON.stringify(text.slice(0, 40))}`)
}

/** An administrator who removed themself could lock everybody out. */
const change = async (
  { site, visitor }: Visit,
  name: string,
  what: string,
  perform: (sql: Site['engine']['sql']) => Promise<boolean>,
  detail = {},
): Promise<void> => {
  if (name === visitor.name) throw new Refusal(403, 'not_allowed', 'Nobody changes or removes themself')
  if (!(await perform(site.engine.sql))) throw new Refusal(404, 'not_found', 'There is no such operator')
  await recordAudit(site.engine.sql, visitor.name, what, name, detail)
}

type Added = { name: string; token: string } | { taken: string }

const addOperator = async ({ site, visitor }: Visit, form: Form): Promise<Added> => {
  const { sql, clock } = site.engine
  const name = (form.name ?? '').trim()
  const role = roleIn(form.role)
  if (!isOperatorName(name)) throw new Refusal(422, 'wrong_request', 'The name is not allowed')
  const organizations = form.organization ? [BigInt(organizationOf(site, form.organization))] : null
  const days = /^\d{1,4}$/.test(form.days ?? '') ? Number(form.days) : null
  const expiresAt = days === null ? null : new Date(clock().getTime() + days * day)
  const token = createToken()
  if (!(await insertOperator(sql, { name, role, organizations, expiresAt, tokenHash: hashSecret(token) })))
    return { taken: name }
  const bounds = { organizations: organizations?.map(Number) ?? null, expires: expiresAt?.toISOString() ?? null }
  await recordAudit(sql, visitor.name, 'add operator', name, { role, ...bounds })
  return { name, token }
}

const operatorsPage = async (visit: Visit, added?: Added): Promise<Html> => {
  const { labels } = visit
  const { operators: of } = labels
  const known = await listOperators(visit.site.engine.sql)
  const body = html`<p class="eyebrow"><a href="/system">${labels.system.title}</a></p><h1>${of.title}</h1>
    ${added && ('token' in added ? html`<p class="notice" role="status">${of.token(added.name)}<br><code>${added.token}</code></p>` : html`<p class="notice warn" role="alert">${of.taken(added.taken)}</p>`)}
    <section aria-label="${of.title}">${
      known.length === 0
        ? html`<p class="empty">${of.empty}</p>`
        : html`<div class="table-scroll"><table class="cards"><thead><tr><th scope="col">${of.name}</th><th scope="col">${of.role}</th><th scope="col">${of.organizations}</th><th scope="col">${of.expires}</th><th scope="col">${of.added}</th><th></th></tr></thead>
      <tbody>${known.map((each) => row(visit, each))}</tbody></table></div>`
    }</section>
    ${addForm(visit)}`
  return layout(visit, { title: of.title, section: 'system', body })
}

const row = (visit: Visit, { name, role, organizations, expiresAt, createdAt }: Operator): Html => {
  const { labels, format } = visit
  const { operators: of, terms } = labels
  const isOther = name !== visit.visitor.name
  const remove = { action: `${url}/remove`, label: of.remove, look: 'danger', ask: of.removeAsk(name) } as const
  return html`<tr><th scope="row">${name}</th><td data-label="${of.role}">${terms.roles[role]}</td>
    <td data-label="${of.organizations}">${organizations?.join(', ') ?? of.all}</td><td data-label="${of.expires}">${expiresAt ? format.moment(expiresAt) : '–'}</td>
    <td data-label="${of.added}">${format.moment(createdAt)}</td>
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
