import { kinds } from '../../../domain/kind.ts'
import { laneOperations } from '../../../operations/lanes.ts'
import { type Hold, heldLanes } from '../../../store/fleet/lanes.ts'
import { laneId, splitLane } from '../../../views/incident.ts'
import { type Html, html } from '../../../writing/html.ts'
import { queryOf } from '../../address.ts'
import { laneName } from '../../parts/facts.ts'
import { buttonForm, hiddenCsrf } from '../../parts/form.ts'
import { countdown } from '../../parts/incident-bar.ts'
import type { Pages, Visit } from '../../visit.ts'

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
    <td data-label="${labels.system.cause}"><strong>${labels.terms.causes[hold.cause]}</strong> ${hold.message && html`<small>${format.heldFor(hold.message)}</small>`}</td>
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
    <label class="field"><span>${labels.system.cause}</span><input name="reason" maxlength="200"></label><button>${labels.system.hold}</button></form></details>`
}

export const addLaneForms = ({ operationForm }: Pages): void => {
  operationForm(
    laneOperations.hold,
    '/system/lanes/hold',
    ({ lane }) => `/system${queryOf({ notice: 'lane_held', lane })}`,
    ({ lane = '', ...rest }) => ({ ...splitLane(lane), ...rest }),
  )
  operationForm(
    laneOperations.resume,
    '/system/lanes/:organization/:kind/resume',
    ({ lane }) => `/system${queryOf({ notice: 'lane_resumed', lane })}`,
  )
}
