import { type Html, html } from '../html.ts'
import type { Words } from '../words/en.ts'
import { term } from '../words/term.ts'

export const stateBadge = ({ terms }: Words, state: string): Html =>
  html`<span class="badge state-${state}">${term(terms.batchStates, state)}</span>`

export const outcomeBadge = ({ terms }: Words, outcome: string): Html =>
  html`<span class="badge outcome outcome-${outcome}">${term(terms.outcomes, outcome)}</span>`
