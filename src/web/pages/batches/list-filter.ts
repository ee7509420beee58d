import { type Html, html } from '../../../writing/html.ts'
import { queryText } from '../../address.ts'
import { select } from '../../parts/form.ts'
import type { Visit } from '../../visit.ts'

export type ListFilter = { state?: string; search?: string }

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
