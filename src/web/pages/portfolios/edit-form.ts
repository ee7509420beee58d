import type { FastifyInstance } from 'fastify'
import { portfolioKinds } from '../../../domain/portfolio.ts'
import { portfolioOperations } from '../../../operations/portfolios.ts'
import type { PortfolioLine } from '../../../views/portfolio.ts'
import { type Html, html } from '../../../writing/html.ts'
import { purposeIn } from '../../actions/upload.ts'
import { hiddenCsrf, select } from '../../parts/form.ts'
import { purposeInputs } from '../../parts/purpose-inputs.ts'
import type { SiteFor } from '../../site/site.ts'
import { operationForm, type Visit } from '../../visit.ts'

/** The form for the interval, the kind and single documents of a portfolio. */
export const editForm = (visit: Visit, { name, kind, everySeconds, purpose }: PortfolioLine): Html => {
  const { portfolios: of, terms } = visit.labels
  const kinds = portfolioKinds.map((value) => ({ value, label: terms.kinds[value] }))
  const days = everySeconds % 86_400 === 0 ? everySeconds / 86_400 : ''
  const documents = (field: 'add' | 'drop', label: string) =>
    html`<label class="field"><span>${label}</span><input name="${field}" maxlength="4000" autocomplete="off" placeholder="${of.documentsHint}"></label>`
  return html`<section aria-labelledby="edit-title"><h2 id="edit-title">${of.edit}</h2><p class="caption">${of.editHint}</p>
    <form class="filter" method="post" action="/portfolios/${encodeURIComponent(name)}/edit">${hiddenCsrf(visit)}
      <label class="field"><span>${of.everyLabel}</span><input type="number" name="days" min="1" max="400" value="${days}"></label>
      ${select('kind', of.kind, kinds, kind)}${purposeInputs(visit, purpose)}${documents('add', of.addDocuments)}${documents('drop', of.dropDocuments)}
      <button class="primary">${of.editSubmit}</button></form></section>`
}

export const addEdits = (app: FastifyInstance, siteFor: SiteFor): void => {
  const next = (notice: string) => (line: PortfolioLine) =>
    `/portfolios/${encodeURIComponent(line.name)}?notice=${notice}`
  operationForm(app, siteFor, portfolioOperations.run, '/portfolios/:portfolio/run', next('portfolio_due'))
  operationForm(
    app,
    siteFor,
    portfolioOperations.edit,
    '/portfolios/:portfolio/edit',
    next('portfolio_edited'),
    ({ days, legalBasis, purpose, ...form }) => ({
      ...form,
      ...(days && { every: `${days}d` }),
      purpose: purposeIn({ legalBasis, purpose }),
    }),
  )
}
