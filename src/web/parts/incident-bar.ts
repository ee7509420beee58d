import { kinds } from '../../domain/kind.ts'
import { type Incident, readIncidents } from '../../views/incident.ts'
import { type Html, html, type Part } from '../../writing/html.ts'
import type { Visit } from '../visit.ts'
import { laneName } from './facts.ts'
import { buttonForm } from './form.ts'

/**
 * The current incidents: what is held, since when, which batches it affects, and what to do.
 *
 * A screen reader announces only new titles; otherwise it would read everything again at each attempt.
 */
export const incidentBar = async (visit: Visit): Promise<Html> => {
  const incidents = await readIncidents(visit.sql, visit.format.heldFor)
  const titles = incidents.map((incident) => titleOf(visit, incident)).join('. ')
  return html`<div class="incidents"><p class="visually-hidden" role="status">${titles}</p>${incidents.map((incident) => entry(visit, incident))}</div>`
}

/** On a phone only its title is shown until a person opens it, see public/incident.css. */
const entry = (visit: Visit, incident: Incident): Html => {
  const { labels, format } = visit
  const { todo, mustAct, detail, since, nextTry } = incident
  return html`<details class="trouble banner ${mustAct ? 'bad' : 'warn'}">
    <summary class="trouble-title"><strong>${titleOf(visit, incident)}</strong>
      <span>${lanesOf(visit, incident)} ${since && html`<span class="nowrap">${labels.incident.since} ${format.moment(since)}</span>`}
      ${nextTry && html`<span class="nowrap">${labels.incident.nextTry} ${countdown(visit, new Date(nextTry))}</span>`}</span></summary>
    <p>${labels.incident.stops[incident.stops]} ${batchesOf(visit, incident)}</p>
    <p><strong>${labels.incident.whatToDo}</strong> ${labels.incident.todo[todo]} ${actionOf(visit, incident)}</p>
    ${detail && html`<p class="trouble-detail">${detail}</p>`}</details>`
}

const titleOf = ({ labels }: Visit, { what, cause }: Incident): string =>
  what === 'lanes_held' && cause ? labels.terms.causes[cause] : labels.incident.titles[what]

const lanesOf = (visit: Visit, { lanes }: Incident): Part => {
  const { labels, accounts } = visit
  if (lanes.length === 0) return null
  if (lanes.length === accounts.length * kinds.length) return html`<span>${labels.incident.everyLane}</span>`
  return html`<span>${lanes.map((lane) => laneName(visit, lane)).join(', ')}</span>`
}

const namedBatches = 3

const batchesOf = ({ labels, format }: Visit, { batches }: Incident): Part => {
  if (batches.length === 0) return labels.incident.nobodyWaits
  const more = batches.length - namedBatches
  const named = batches.slice(0, namedBatches).map(({ batch, name, source, open }, at) => {
    const rows = open !== null && html` (${labels.incident.openRows(format.count(open))})`
    const title = source === 'sweep' ? labels.terms.sweeps.radars : html`<a href="/batches/${batch}">${name}</a>`
    return html`${at > 0 && ', '}${title}${rows}`
  })
  return html`${labels.incident.standStill} ${named}${more > 0 && html` <a href="/batches?state=held">${labels.incident.andMore(format.count(more))}</a>`}.`
}

/**
 * A single lane can be resumed here; of several, the person chooses on the page of the lanes. After a dead token or a
 * spent budget there is no button, because the lane would be held again at once.
 */
const actionOf = (visit: Visit, { lanes: [lane, ...others], mustAct, todo }: Incident): Part => {
  if (!visit.may('ops') || !lane || !mustAct || todo === 'renew_token') return null
  if (others.length > 0) return html`<a href="/system#lanes">${visit.labels.incident.chooseLane}</a>`
  return buttonForm(visit, { action: `/system/lanes/${lane.lane}/resume`, label: visit.labels.incident.resume })
}

/**
 * The time until a moment, counted down by public/countdown.js; without a script, the moment itself. The text that the
 * script wrote stays when the page is updated.
 */
export const countdown = ({ labels, format }: Visit, until: Date): Html =>
  html`<time datetime="${until.toISOString()}" data-in="${labels.incident.inSpan('{}')}" data-now="${labels.incident.now}" hx-morph-skip-children>${format.instant(until)}</time>`
