import { z } from 'zod'
import { BatchRefusal, batchOrRefuse } from '../../../batches/batch-or-refuse.ts'
import { purposeFor } from '../../../batches/submit.ts'
import { previewUpload, submitOrKeep, submitUpload, type UploadPreview } from '../../../batches/uploads.ts'
import { freshSinceOf } from '../../../domain/duration.ts'
import { maskCell } from '../../../domain/mask-documents.ts'
import { columnRoles } from '../../../files/columns/roles.ts'
import { allSheets } from '../../../files/join-sheets.ts'
import { batchOperations } from '../../../operations/batches.ts'
import {
  choiceIn,
  fileOperations,
  pickedColumns,
  purposeIn,
  readOptionFields,
  submissionOf,
  whyFields,
} from '../../../operations/files.ts'
import { perform, readInput } from '../../../operations/operation.ts'
import {
  insertUpload,
  listRejected,
  type RejectedFile,
  readUpload,
  type Upload,
} from '../../../store/batches/uploads.ts'
import { attribute, type Html, html, type Part } from '../../../writing/html.ts'
import { idIn, queryText } from '../../address.ts'
import { laneName } from '../../parts/facts.ts'
import { buttonForm, hiddenCsrf, optionsOf, purposeInputs, select } from '../../parts/form.ts'
import { layout } from '../../parts/layout.ts'
import type { Pages, Visit } from '../../visit.ts'

const shownRows = 15
const shownColumns = 40

/** A file whose columns are not chosen yet: its first rows, with a picker above each column. */
export const addUploadPage = ({ page, action, upload, operationForm }: Pages): void => {
  operationForm(fileOperations.dismiss, '/uploads/:upload/dismiss', () => '/batches')
  // A file whose columns are not certain becomes no batch but an upload, so this is not the operation of the API.
  upload('/batches', async (visit, given) => {
    const submission = submissionOf(visit, readInput(fileOperations.submit, given))
    const taken = await submitOrKeep(visit.sql, await visit.queues(), submission)
    if ('upload' in taken) return `/uploads/${taken.upload}`
    return `/batches/${taken.batchId}${taken.repeated ? '?notice=repeated' : ''}`
  })
  page('ops', '/uploads/:upload', async (visit) => {
    const upload = await uploadOrRefuse(visit)
    const { query } = visit.request
    const headerLine = queryText(query, 'noHeader', 9) ? '0' : queryText(query, 'headerLine', 9)
    const choice = choiceIn(readPicked({ sheet: queryText(query, 'sheet', 40), headerLine }))
    const preview = await previewUpload(visit.sql, upload, choice)
    const body = html`<section><p class="eyebrow">${visit.format.text(upload.fileName)}</p><h1>${visit.labels.picker.title}</h1>
      <p>${visit.labels.picker.text}</p>${placeForm(visit, upload, preview)}${allSheetsForm(visit, upload, preview)}${picker(visit, upload, preview)}</section>`
    return layout(visit, { title: visit.labels.picker.title, section: 'batches', body })
  })
  action('ops', '/uploads/:upload', async (visit, form) => {
    const upload = await uploadOrRefuse(visit)
    const { sql, settings, by, clock } = visit
    const picked = readPicked({ ...form, column: pickedColumns(form) })
    const purpose = upload.purpose ?? purposeFor(settings.purpose, purposeIn(picked))
    const freshSince = freshSinceOf(settings.forKind[upload.kind], clock())
    const choices = { by, choice: choiceIn(picked), purpose, freshSince }
    const { batchId, repeated } = await submitUpload(sql, await visit.queues(), upload, choices)
    if (upload.replaces && upload.replaces !== batchId) await cancelUnconfirmed(visit, upload.replaces)
    return `/batches/${batchId}${repeated ? '?notice=repeated' : ''}`
  })
  action('ops', '/batches/:batch/read-again', async ({ sql, request, by }) => {
    const batch = await batchOrRefuse(sql, idIn(request.params, 'batch'))
    const fileId = batch.workbookId ?? batch.fileId
    if (!fileId) throw new BatchRefusal(['no_batch', batch.id])
    const { id, name, fileName, organizationId } = batch
    const source = { fileId, fileName: fileName ?? name, organizationId: Number(organizationId) }
    return `/uploads/${await insertUpload(sql, { ...batch, ...source, uploadedBy: by, replaces: id })}`
  })
}

const picking = z.object({ ...readOptionFields, ...whyFields })

/** What a person chose in the picker; a field left empty is left out. */
const readPicked = (form: Record<string, unknown>): z.output<typeof picking> =>
  readInput(
    { input: picking, route: 'POST /uploads' },
    Object.fromEntries(Object.entries(form).filter(([, value]) => value !== '')),
  )

export const uploadOrRefuse = async ({ request, sql }: Visit): Promise<Upload> => {
  const id = idIn(request.params, 'upload')
  const upload = await readUpload(sql, id)
  if (!upload) throw new BatchRefusal(['no_upload', id])
  return upload
}

/** Cancels the batch of the first reading, unless it was approved meanwhile. */
const cancelUnconfirmed = async (visit: Visit, id: bigint): Promise<void> => {
  const { state } = await batchOrRefuse(visit.sql, id)
  if (state !== 'unconfirmed' && state !== 'importing') return
  await perform(batchOperations.cancel, visit, { batch: String(id) })
}

/** The sheet and the header line; the picker is shown again for them. */
const placeForm = ({ labels, format }: Visit, { id }: Upload, { sheet, sheets, header }: UploadPreview): Html => {
  const listed = sheets.map((name) => ({ value: name, label: format.text(name) }))
  return html`<form class="filter" method="get" action="/uploads/${id}">
    ${sheets.length > 1 && select('sheet', labels.picker.sheet, listed, sheet ?? '')}
    <label class="field"><span>${labels.picker.headerLine}</span>
      <input type="number" name="headerLine" min="1" step="1" value="${String(header?.line ?? 1)}"></label>
    <label class="check"><input type="checkbox" name="noHeader" value="1"${attribute('checked', header === null)}> ${labels.picker.noHeader}</label>
    <button>${labels.picker.show}</button></form>`
}

/** Reads every sheet with documents, each by its own header. */
const allSheetsForm = (visit: Visit, upload: Upload, { sheet, unread }: UploadPreview): Html | null => {
  if (unread.length === 0) return null
  const { labels, format } = visit
  const names = format.text([sheet, ...unread].join(', '))
  return html`<div class="notice warn"><p>${labels.picker.unread(format.text(unread.join(', ')))}</p>
    <form method="post" action="/uploads/${upload.id}">${hiddenCsrf(visit)}<input type="hidden" name="sheet" value="${allSheets}">
      <div class="fields">${purposeOf(visit, upload)}<button>${labels.picker.allSheets(names)}</button></div></form></div>`
}

const purposeOf = (visit: Visit, { purpose }: Upload): Part => purpose === null && purposeInputs(visit)

const picker = (visit: Visit, upload: Upload, preview: UploadPreview): Html => {
  const { labels, format } = visit
  const { header, rows, sheet } = preview
  const columns = preview.names.slice(0, shownColumns)
  return html`<form method="post" action="/uploads/${upload.id}">${hiddenCsrf(visit)}
    <input type="hidden" name="headerLine" value="${String(header?.line ?? 0)}">
    ${sheet && html`<input type="hidden" name="sheet" value="${sheet}">`}
    <div class="table-scroll" tabindex="0" role="region" aria-label="${labels.batch.preview}"><table>
      <thead><tr><th scope="col" class="number">${labels.rows.line}</th>${columns.map((name) => html`<th scope="col">${maskCell(name)}</th>`)}</tr>
        <tr><td></td>${columns.map((name, at) => html`<td>${rolePicker(visit, name, at, preview)}</td>`)}</tr></thead>
      <tbody>${rows.slice(0, shownRows).map(
        (row) => html`<tr><td class="number">${format.count(row.line)}</td>
        ${columns.map((_, at) => html`<td>${maskCell((row.cells[at] ?? '').slice(0, 200))}</td>`)}</tr>`,
      )}</tbody></table></div>
    <div class="fields">${select('documentType', labels.picker.documentType, optionsOf(['CPF', 'CNPJ'], { CPF: 'CPF', CNPJ: 'CNPJ' }, labels.picker.byRow), '')}${purposeOf(visit, upload)}<button class="primary">${labels.upload.submit}</button></div></form>`
}

const rolePicker = ({ labels }: Visit, name: string, at: number, { roles: seeming }: UploadPreview): Html =>
  html`<input type="hidden" name="header-${at}" value="${name}">
    <select name="role-${at}" aria-label="${labels.picker.role(maskCell(name))}"><option value="">${labels.picker.nothing}</option>
    ${columnRoles.map((role) => html`<option value="${role}"${attribute('selected', seeming[at] === role)}>${labels.terms.columnRoles[role]}</option>`)}</select>`

const mostShown = 50

/** The files of the inbox that could not be read, why, and what to do; nothing if there are none. */
export const rejectedFiles = async (visit: Visit): Promise<Html | null> => {
  const files = await listRejected(visit.sql, mostShown)
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
