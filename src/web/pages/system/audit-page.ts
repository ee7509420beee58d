import type { FastifyInstance } from 'fastify'
import { term } from '../../../messages/term.ts'
import { type AuditEntry, listAudit } from '../../../views/audit.ts'
import { type Html, html, type Part } from '../../../writing/html.ts'
import { idIn, queryText } from '../../address.ts'
import { layout } from '../../parts/layout.ts'
import type { SiteFor } from '../../site/site.ts'
import { page, type Visit } from '../../visit.ts'

const pageSize = 100

/** Who did what, newest first. */
export const addAuditPage = (app: FastifyInstance, siteFor: SiteFor): void => {
  page(app, siteFor, 'admin', '/system/audit', async (visit) => {
    const { labels, request } = visit
    const before = queryText(request.query, 'before') ? idIn(request.query, 'before') : undefined
    const entries = await listAudit(visit.site.engine.sql, pageSize, before)
    const last = entries.length === pageSize && entries.at(-1)
    const body = html`<p class="eyebrow"><a href="/system">${labels.system.title}</a></p><h1>${labels.system.audit}</h1>
      <section aria-label="${labels.system.audit}"><div class="table-scroll"><table class="cards audit"><thead><tr><th scope="col">${labels.system.when}</th><th scope="col">${labels.system.who}</th><th scope="col">${labels.system.did}</th><th scope="col">${labels.system.subject}</th><th scope="col">${labels.shell.details}</th></tr></thead>
      <tbody>${entries.map((entry) => row(visit, entry))}</tbody></table></div></section>
      ${last && html`<p><a class="button" href="/system/audit?before=${last.id}">${labels.shell.more}</a></p>`}`
    return layout(visit, { title: labels.system.audit, section: 'system', body })
  })
}

const row = ({ labels, format }: Visit, { at, who, what, subject, detail }: AuditEntry): Html => html`<tr>
  <th scope="row">${format.instant(new Date(at))}</th><td data-label="${labels.system.who}">${who}</td><td data-label="${labels.system.did}">${term(labels.terms.actions, what)}</td>
  <td data-label="${labels.system.subject}">${subjectLink(labels.terms.subjects, format.text(subject))}</td><td data-label="${labels.shell.details}">${detailsOf(format, detail)}</td></tr>`

const detailsOf = (format: Visit['format'], detail: AuditEntry['detail']): Part => {
  const text = Object.entries(detail)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? shortened(value) : JSON.stringify(value)}`)
    .join(' · ')
  return text && html`<small>${format.text(text)}</small>`
}

/** The first digits of a file's hash are enough to distinguish files. */
const shortened = (text: string): string => (/^[0-9a-f]{64}$/.test(text) ? `${text.slice(0, 12)}…` : text)

/** A subject is a name, or names with numbers such as `batch 7 line 3`. */
const subjectLink = (names: Visit['labels']['terms']['subjects'], subject: string): Html => {
  const label = term(
    names,
    subject.replace(/[a-z-]+(?= \d)/g, (name) => term(names, name)),
  )
  const [, id] = /^batch (\d+)/.exec(subject) ?? []
  return id ? html`<a href="/batches/${id}">${label}</a>` : html`${label}`
}
