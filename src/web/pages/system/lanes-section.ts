import type { FastifyInstance } from 'fastify'
import { holdLaneByHand, resumeLaneByHand } from '../../../batches/hold-lane.ts'
import { kinds } from '../../../domain/kind.ts'
import { type Hold, heldLanes } from '../../../store/fleet/lanes.ts'
import { laneId } from '../../../views/lane.ts'
import { type Html, html } from '../../../writing/html.ts'
import { laneIn } from '../../actions/fleet.ts'
import { queryOf, queryText } from '../../address.ts'
import { laneName } from '../../parts/facts.ts'
import { buttonForm, hiddenCsrf } from '../../parts/form.ts'
import { countdown } from '../../parts/incident-bar.ts'
import { Refusal } from '../../site/refusals.ts'
import type { SiteFor } from '../../site/site.ts'
import { action, type Visit } from '../../visit.ts'

/** The held lanes, their causes, and the button to resume each. */
export const lanesSection = async (visit: Visit): Promise<Html> => {
  const { labels, site } = visit
  const holds = await heldLanes(site.engine.sql)
  return html`<section id="lanes" aria-labelledby="lanes-title"><h2 id="lanes-title">${labels.system.lanes}</h2>
    ${
      holds.length === 0
        ? html`<p class="empty good">${labels.system.lanesFree}</p>`
        : html`<div class="table-scroll"><table class="cards"><thead><tr><th scope="col">${labels.system.lane}</th><th scope="col">${labels.system.cause}</th>
      <th scope="col">${labels.system.since}</th><th scope="col">${labels.system.nextTry}</th><th></th></tr></thead><tbody>${holds.map((hold) => row(visit, hold))}</tbody></table></div>`
    }
    ${visit.may('ops') && holdForm(visit)}</section>`
}

const row = (visit: Visit, hold: Hold): Html => {
  const { labels, format } = visit
  return html`<tr><th scope="row">${laneName(visit, { ...hold, organization: hold.organizationId })}</th>
    <td data-label="${labels.system.cause}"><strong>${labels.terms.causes[hold.cause]}</strong> ${hold.detail && html`<small>${format.heldFor(hold.message ?? hold.detail)}</small>`}</td>
    <td data-label="${labels.system.since}" class="nowrap">${format.moment(hold.heldAt)}</td><td data-label="${labels.system.nextTry}" class="nowrap">${hold.trialAt ? countdown(visit, hold.trialAt) : '–'}</td>
    <td>${visit.may('ops') && buttonForm(visit, { action: `/system/lanes/${laneId(hold)}/resume`, label: labels.system.resume, look: 'primary' })}</td></tr>`
}

const holdForm = (visit: Visit): Html => {
  const { labels, site } = visit
  const lanes = site.engine.accounts.flatMap(({ organizationId }) =>
    kinds.map((kind) => ({ organizationId: BigInt(organizationId), kind })),
  )
  return html`<details hx-morph-skip><summary>${labels.system.holdTitle}</summary><form class="filter" method="post" action="/system/lanes/hold">${hiddenCsrf(visit)}
    <label class="field"><span>${labels.system.lane}</span><select name="lane">${lanes.map((lane) => html`<option value="${laneId(lane)}">${laneName(visit, { ...lane, organization: lane.organizationId })}</option>`)}</select></label>
    <label class="field"><span>${labels.system.cause}</span><input name="reason" maxlength="200" required></label><button>${labels.system.hold}</button></form></details>`
}

export const addLaneActions = (app: FastifyInstance, siteFor: SiteFor): void => {
  action(app, siteFor, 'ops', '/system/lanes/hold', async ({ site, visitor }, { lane = '', reason = '' }) => {
    const [organization, kind] = lane.split('/')
    if (reason.trim() === '') throw new Refusal(422, 'wrong_request', ['say_why'])
    const action = { by: visitor.name, now: site.engine.clock(), reason: reason.trim().slice(0, 200) }
    await holdLaneByHand(site.engine.sql, laneIn(site, organization, kind), action)
    return `/system${queryOf({ notice: 'lane_held', lane })}`
  })
  action(app, siteFor, 'ops', '/system/lanes/:organization/:kind/resume', async ({ site, visitor, request }) => {
    const lane = laneIn(site, queryText(request.params, 'organization'), queryText(request.params, 'kind'))
    await resumeLaneByHand(site.engine.sql, lane, { by: visitor.name, now: site.engine.clock() })
    site.engine.wake()
    return `/system${queryOf({ notice: 'lane_resumed', lane: laneId(lane) })}`
  })
}
