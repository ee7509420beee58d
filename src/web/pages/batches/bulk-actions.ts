import { BatchRefusal } from '../../../batches/batch-or-refuse.ts'
import { batchOperations, quoteRetryOf } from '../../../operations/batches.ts'
import { type Operation, perform, Refusal } from '../../../operations/operation.ts'
import { matchingBatches } from '../../../views/batch.ts'
import { type Html, html } from '../../../writing/html.ts'
import { queryOf, queryText } from '../../address.ts'
import { batchName } from '../../parts/facts.ts'
import { hiddenCsrf, select } from '../../parts/form.ts'
import { layout } from '../../parts/layout.ts'
import type { Pages, Visit } from '../../visit.ts'

/** The actions on many batches at once; approving is not one of them. */
const bulkVerbs = ['pause', 'resume', 'cancel', 'retry'] as const
type BulkVerb = (typeof bulkVerbs)[number]

/** Acts on every batch that matches the filter of the list, after showing which they are and the cost. */
export const addBulkActions = ({ page, action }: Pages): void => {
  page('ops', '/batches/all/:verb', async (visit) => {
    const verb = verbIn(visit)
    const { labels, format } = visit
    const filter = filterOf(visit)
    const batches = await findBatches(visit, verb, filter)
    const cost = verb === 'retry' ? batches.reduce((sum, { cost }) => sum + cost, 0) : 0
    const back = `/batches${queryOf(filter)}`
    const body = html`<section><h1>${labels.batches.bulkTitle[verb]}</h1>
      ${
        batches.length === 0
          ? html`<p class="empty">${labels.batches.bulkNone}</p>`
          : html`
      <p>${labels.batches.bulkCount(format.count(batches.length))}</p>
      <ul class="plain-list">${batches.map((batch) => html`<li><a href="/batches/${batch.id}">${batchName(visit, batch)}</a> <small>${batch.id}</small></li>`)}</ul>
      <p><strong>${cost > 0 ? labels.batches.bulkCost(format.count(cost)) : labels.batches.bulkFree}</strong></p>`
      }
      <form class="actions" method="post" action="/batches/all/${verb}">${hiddenCsrf(visit)}
        <input type="hidden" name="ids" value="${batches.map(({ id, cost }) => `${id}:${cost}`).join(',')}">
        ${batches.length > 0 && html`<button class="primary">${verb === 'retry' ? labels.batch.retrySubmit : labels.batch[verb]}</button>`}
        <a class="button" href="${back}">${labels.shell.back}</a>
      </form></section>`
    return layout(visit, { title: labels.batches.bulkTitle[verb], section: 'batches', body })
  })
  action('ops', '/batches/all/:verb', async (visit, { ids = '' }) => {
    const verb = verbIn(visit)
    let passedBy = 0
    for (const [, id, cost] of ids.matchAll(/\b(\d{1,18}):(\d{1,9})\b/g)) {
      const given = { batch: id, ...(verb === 'retry' && { atMost: cost }) }
      await perform(batchOperations[verb] as Operation, visit.context, given).catch((error) => {
        ignoreRefusal(error)
        passedBy++
      })
    }
    return passedBy > 0 ? '/batches?notice=passed_by' : '/batches'
  })
}

/** The links above the list. */
export const bulkActions = ({ labels }: Visit, filter: ListFilter): Html => html`<details class="bulk">
  <summary>${labels.batches.bulk}</summary>
  <div class="actions">${bulkVerbs.map(
    (verb) => html`<a class="button" href="/batches/all/${verb}${queryOf(filter)}">${labels.batch[verb]}</a>`,
  )}</div></details>`

const verbIn = ({ request }: Visit): BulkVerb => {
  const asked = queryText(request.params, 'verb')
  const verb = bulkVerbs.find((each) => each === asked)
  if (!verb) throw new Refusal(404, 'not_found', 'There is no such action')
  return verb
}

/** For a retry, only batches with rows to retry, and the cost of each. */
const findBatches = async ({ site, context }: Visit, verb: BulkVerb, filter: ListFilter) => {
  const found = await matchingBatches(site.engine.sql, filter, verb)
  if (verb !== 'retry') return found.map((batch) => ({ ...batch, cost: 0 }))
  const quoted = []
  for (const batch of found) {
    const retry = await quoteRetryOf(context, batch.id).catch(ignoreRefusal)
    if (retry && retry.quote.rows > 0 && !retry.isVain) quoted.push({ ...batch, cost: retry.toPay })
  }
  return quoted
}

/** Skips a batch that has ended, costs more by now, or is still being imported, and continues with the others. */
const ignoreRefusal = (error: unknown): undefined => {
  if (!(error instanceof BatchRefusal)) throw error
}

type ListFilter = { state?: string; search?: string }

export const filterOf = ({ request }: Visit): ListFilter => ({
  state: queryText(request.query, 'state', 20),
  search: queryText(request.query, 'search'),
})

const states = ['unconfirmed', 'held', 'running', 'paused', 'done', 'importing', 'cancelled', 'rejected'] as const

/** Search and state; a change of either updates the list, with or without script. */
export const batchFilter = ({ labels }: Visit, { state = '', search = '' }: ListFilter): Html => html`
<form class="filter" method="get" action="/batches" role="search" data-submit-on-change>
  <label class="field"><span>${labels.batches.searchLabel}</span><input type="search" name="search" value="${search}" maxlength="100" autocomplete="off"></label>
  ${select(
    'state',
    labels.batches.state,
    [
      { value: '', label: labels.shell.all },
      ...states.map((value) => ({ value, label: labels.terms.batchStates[value] })),
    ],
    state,
  )}
  <button>${labels.shell.filter}</button>
</form>`
