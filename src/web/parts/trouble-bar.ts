import { kinds } from '../../domain/kind.ts'
import { readTrouble, type Trouble } from '../../views/trouble.ts'
import { type Html, html, type Part } from '../../writing/html.ts'
import type { Visit } from '../visit.ts'
import { laneName } from './facts.ts'
import { buttonForm } from './form.ts'

/**
 * What is wrong now: what is held, since when, which batches wait for it, and what to do about it.
 *
 * Only the titles are told to a screen reader as they come: the rest would be read again with every new try.
 */
export const troubleBar = async (visit: Visit): Promise<Html> => {
  const troubles = await readTrouble(visit.site.engine.sql, visit.format.heldFor)
  const titles = troubles.map((trouble) => titleOf(visit, trouble)).join('. ')
  return html`<div class="troubles"><p class="visually-hidden" role="status">${titles}</p>${troubles.map((trouble) => entry(visit, trouble))}</div>`
}

const entry = (visit: Visit, trouble: Trouble): Html => {
  const { words, format } = visit
  const { todo, mustAct, detail, since, nextTry } = trouble
  return html`<div class="trouble ${mustAct ? 'bad' : 'warn'}">
    <p class="trouble-title"><strong>${titleOf(visit, trouble)}</strong>
      <span>${lanesOf(visit, trouble)} ${since && html`<span class="nowrap">${words.trouble.since} ${format.moment(new Date(since))}</span>`}
      ${nextTry && html`<span class="nowrap">${words.trouble.nextTry} ${countdown(visit, new Date(nextTry))}</span>`}</span></p>
    <p>${words.trouble.stops[trouble.stops]} ${batchesOf(visit, trouble)}</p>
    <p><strong>${words.trouble.whatToDo}</strong> ${words.trouble.todo[todo]} ${actionOf(visit, trouble)}</p>
    ${detail && html`<p class="trouble-detail">${detail}</p>`}</div>`
}

const titleOf = ({ words }: Visit, { what, cause }: Trouble): string =>
  what === 'lanes_held' && cause ? words.terms.causes[cause] : words.trouble.titles[what]

const lanesOf = (visit: Visit, { lanes }: Trouble): Part => {
  const { words, site } = visit
  if (lanes.length === 0) return null
  if (lanes.length === site.engine.accounts.length * kinds.length) return html`<span>${words.trouble.everyLane}</span>`
  return html`<span>${lanes.map((lane) => laneName(visit, lane)).join(', ')}</span>`
}

const namedBatches = 3

const batchesOf = ({ words, format }: Visit, { batches }: Trouble): Part => {
  if (batches.length === 0) return words.trouble.nobodyWaits
  const more = batches.length - namedBatches
  const named = batches.slice(0, namedBatches).map(({ batch, name, source, open }, at) => {
    const rows = open !== null && html` (${words.trouble.openRows(format.count(open))})`
    const title = source === 'sweep' ? words.terms.sweeps.radars : html`<a href="/batches/${batch}">${name}</a>`
    return html`${at > 0 && ', '}${title}${rows}`
  })
  return html`${words.trouble.standStill} ${named}${more > 0 && html` <a href="/batches?state=held">${words.trouble.andMore(format.count(more))}</a>`}.`
}

/**
 * One lane goes on from here; of several a person chooses on the page of the lanes. A token or a budget would only hold
 * it again.
 */
const actionOf = (visit: Visit, { lanes: [lane, ...others], mustAct, todo }: Trouble): Part => {
  if (!visit.may('ops') || !lane || !mustAct || todo === 'renew_token') return null
  if (others.length > 0) return html`<a href="/system#lanes">${visit.words.trouble.chooseLane}</a>`
  return buttonForm(visit, { action: `/system/lanes/${lane.lane}/resume`, label: visit.words.trouble.resume })
}

/**
 * The time until a moment, counted down by the page itself (public/countdown.js); without a script, the moment.
 * What the script wrote in it stays when the page is painted anew.
 */
export const countdown = ({ words, format }: Visit, until: Date): Html =>
  html`<time datetime="${until.toISOString()}" data-in="${words.trouble.inSpan('{}')}" data-now="${words.trouble.now}" hx-morph-skip-children>${format.instant(until)}</time>`
