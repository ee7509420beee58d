import { fileOperations } from '../../../operations/files.ts'
import { listRejected, type RejectedFile } from '../../../store/batches/rejected-files.ts'
import { type Html, html } from '../../../writing/html.ts'
import { laneName } from '../../parts/facts.ts'
import { buttonForm } from '../../parts/form.ts'
import type { Pages, Visit } from '../../visit.ts'

/** Takes a rejected file off the list. */
export const addRejectedFiles = ({ operationForm }: Pages): void =>
  operationForm(fileOperations.dismiss, '/uploads/:upload/dismiss', () => '/batches')

const mostShown = 50

/** The files of the inbox that could not be read, why, and what to do; nothing if there are none. */
export const rejectedFiles = async (visit: Visit): Promise<Html | null> => {
  const files = await listRejected(visit.site.engine.sql, mostShown)
  if (files.length === 0) return null
  const labels = visit.labels.rejectedFiles
  return html`<section id="rejected" aria-labelledby="rejected-title"><h2 id="rejected-title">${labels.title}</h2><p>${labels.text}</p>
    <div class="table-scroll"><table class="cards"><thead><tr><th scope="col">${visit.labels.batches.name}</th><th scope="col">${labels.when}</th>
      <th scope="col">${labels.reason}</th><th scope="col">${labels.what}</th></tr></thead>
    <tbody>${files.map((file) => row(visit, file))}</tbody></table></div></section>`
}

const row = (visit: Visit, { id, organizationId, kind, fileName, rejectedAt, problem, kept }: RejectedFile): Html => {
  const { labels, format } = visit
  const { when, reason, what, fix, dismiss } = labels.rejectedFiles
  return html`<tr><th scope="row">${format.text(fileName)} <small>${laneName(visit, { organization: organizationId, kind })}</small></th>
    <td data-label="${when}" class="nowrap">${format.moment(rejectedAt)}</td>
    <td data-label="${reason}">${format.message(problem)}</td>
    <td data-label="${what}"><div class="actions">${kept ? html`<a class="button" href="/uploads/${id}">${labels.picker.again}</a>` : html`<span>${fix}</span>`}
      ${buttonForm(visit, { action: `/uploads/${id}/dismiss`, label: dismiss, look: 'quiet' })}</div></td></tr>`
}
