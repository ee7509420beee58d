import type { FastifyInstance } from 'fastify'
import { type AuditEntry, listAudit } from '../../store/audit.ts'
import { idIn, queryText } from '../batches/address.ts'
import { type Html, html } from '../html.ts'
import { layout } from '../layout.ts'
import type { Site } from '../site.ts'
import { page, type Visit } from '../visit.ts'

const pageSize = 100

/** Who did what, newest first. */
export const addAuditPage = (app: FastifyInstance, site: Site): void => {
  page(app, site, 'admin', '/system/audit', async (visit) => {
    const { words, request } = visit
    const before = queryText(request.query, 'before') ? idIn(request.query, 'before') : null
    const entries = await listAudit(site.engine.sql, pageSize, before)
    const last = entries.length === pageSize && entries.at(-1)
    const body = html`<p class="eyebrow"><a href="/system">${words.system.title}</a></p><h1>${words.system.audit}</h1>
      <section aria-label="${words.system.audit}"><div class="table-scroll"><table class="cards"><thead><tr><th scope="col">${words.system.when}</th><th scope="col">${words.system.who}</th><th scope="col">${words.system.did}</th><th scope="col">${words.system.subject}</th><th scope="col">${words.shell.details}</th></tr></thead>
      <tbody>${entries.map((entry) => row(visit, entry))}</tbody></table></div></section>
      ${last && html`<p><a class="button" href="/system/audit?before=${last.id}">${words.shell.more}</a></p>`}`
    return layout(visit, { title: words.system.audit, section: 'system', body })
  })
}

const row = ({ words, format }: Visit, { at, who, what, subject, detail }: AuditEntry): Html => html`<tr>
  <th scope="row">${format.moment(at)}</th><td data-label="${words.system.who}">${who}</td><td data-label="${words.system.did}">${what}</td>
  <td data-label="${words.system.subject}">${subjectLink(subject)}</td><td data-label="${words.shell.details}"><small>${format.text(detailOf(detail))}</small></td></tr>`

const detailOf = (detail: unknown): string => {
  const entries = Object.entries(detail as Record<string, unknown>)
  return entries
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(' · ')
}

const subjectLink = (subject: string): Html => {
  const [, id] = /^batch (\d+)/.exec(subject) ?? []
  return id ? html`<a href="/batches/${id}">${subject}</a>` : html`${subject}`
}
