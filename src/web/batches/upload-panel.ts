import { kinds } from '../../domain/kind.ts'
import { type Html, html } from '../html.ts'
import { select } from '../parts/form.ts'
import type { Visit } from '../visit.ts'

/** Where a file is handed in; the whole page takes a drop, see public/drop.js. */
export const uploadPanel = (visit: Visit): Html => {
  const { words, format, site, visitor } = visit
  const { accounts } = site.engine
  const organizations = accounts.map(({ organizationId, name }) => ({
    value: String(organizationId),
    label: name ?? String(organizationId),
  }))
  return html`<section class="upload" aria-labelledby="upload-title">
  <h2 id="upload-title">${words.upload.title}</h2>
  <form id="upload" method="post" action="/batches" enctype="multipart/form-data" data-drop-text="${words.upload.dropNow}" data-sending="${words.upload.sending}" data-failed="${words.upload.failed}">
    <input type="hidden" name="csrf" value="${visitor.csrf}">
    <label class="dropzone"><strong>${words.upload.drop}</strong>
      <span class="button">${words.upload.choose}</span>
      <input class="visually-hidden" type="file" name="file" accept=".csv,.txt,.tsv,text/csv" required>
      <output></output>
      <small>${words.upload.hint(format.bytes(site.settings.web.maxUploadBytes))}</small></label>
    <div class="fields">
      ${select(
        'kind',
        words.upload.kind,
        kinds.map((value) => ({ value, label: words.terms.kinds[value] })),
        'analysis',
      )}
      ${organizations.length > 1 ? select('organization', words.upload.organization, organizations, organizations[0]?.value ?? '') : null}
      <label class="field"><span>${words.upload.maxSpend}</span>
        <input type="number" name="maxSpend" min="0" max="2000000000" step="1" inputmode="numeric" placeholder="${words.upload.maxSpendHint}"></label>
      <button class="primary">${words.upload.submit}</button>
    </div>
    <p id="upload-trouble" class="notice bad" role="alert" hidden></p>
    <div id="upload-progress" hidden><progress max="1" value="0" aria-label="${words.upload.sending}"></progress> <span></span></div>
  </form>
</section>`
}
