import { statfs } from 'node:fs/promises'
import { kinds } from '../../../domain/kind.ts'
import { term } from '../../../messages/term.ts'
import { laneOperations } from '../../../operations/lanes.ts'
import { perform } from '../../../operations/operation.ts'
import { type OperatorShown, operatorOperations } from '../../../operations/operators.ts'
import { personOperations } from '../../../operations/person.ts'
import { type Hold, heldLanes } from '../../../store/fleet/lanes.ts'
import { type Role, roles } from '../../../store/people/operators.ts'
import { runningSweeps } from '../../../store/radars/sweeps.ts'
import { readVacuumHolder } from '../../../store/server-state.ts'
import { laneId, splitLane } from '../../../views/incident.ts'
import { type AuditEntry, type LastHour, listAudit, readLastHour } from '../../../views/installation.ts'
import { type Html, html, type Part } from '../../../writing/html.ts'
import { idIn, queryOf, queryText } from '../../address.ts'
import { laneName } from '../../parts/facts.ts'
import { buttonForm, hiddenCsrf, notice, optionsOf, organizationSelect, select } from '../../parts/form.ts'
import { countdown } from '../../parts/incident-bar.ts'
import { layout } from '../../parts/layout.ts'
import { streamFrames } from '../../parts/live.ts'
import type { Pages, Visit } from '../../visit.ts'
import { queuesSection, schedulesSection, spendingSection, timesPlot, workersSection } from './system-sections.ts'

/** The state of the system: lanes, workers, queues, recurring tasks, spending. */
export const addSystemPage = ({ page, operationForm }: Pages): void => {
  page('analyst', '/system', async (visit) => {
    const { labels } = visit
    const body = html`<div class="section-head"><h1>${labels.shell.system}</h1>${visit.may('admin') && html`<div class="actions">${visit.visitor.organizations === null && html`<a class="button" href="/system/operators">${labels.operators.title}</a>`}<a class="button" href="/system/audit">${labels.system.audit}</a></div>`}</div>
      <div id="system-live" hx-sse:connect="/system/live${queryOf(following(visit))}" hx-swap="innerMorph">${await moving(visit)}</div>
      ${visit.may('admin') && visit.visitor.organizations === null && eraseSection(visit)}
      ${await disk(visit)}`
    return layout(visit, {
      title: labels.shell.system,
      section: 'system',
      body,
      plots: true,
      streams: true,
      showsNotice: true,
    })
  })
  page('analyst', '/system/live', (visit) =>
    streamFrames(visit, async () => ({ shown: await moving(visit), over: false }), 2_000),
  )
  operationForm(personOperations.erase, '/system/erase', () => '/system?notice=erased')
}

/** The part that updates by itself. The notice of the last action disappears when it is no longer true. */
const moving = async (visit: Visit): Promise<Html> => html`${(await isTrue(visit)) && notice(visit)}
  ${await lanesSection(visit)}
  ${visit.visitor.organizations === null && (await installation(visit))}
  ${await spendingSection(visit)}`

/** Workers, queues and tasks serve every organization, so only visitors of all organizations see them. */
const installation = async (
  visit: Visit,
): Promise<Html> => html`${await vacuumNotice(visit)}${await throughputSection(visit)}
  <div class="columns">${await workersSection(visit)}${await queuesSection(visit)}</div>
  ${await schedulesSection(visit)}`

const vacuumNotice = async ({ sql, labels: { system }, format }: Visit): Promise<Html | null> => {
  const holder = await readVacuumHolder(sql)
  return holder && html`<p class="notice warn">${system.vacuumHeld(holder.name, format.count(holder.transactions))}</p>`
}

/** The parts of the address that the stream needs: the notice and its subject. */
const following = ({ request }: Visit): Record<'notice' | 'lane' | 'sweep', string | undefined> => ({
  notice: queryText(request.query, 'notice'),
  lane: queryText(request.query, 'lane'),
  sweep: queryText(request.query, 'sweep', 18),
})

const isTrue = async (visit: Visit): Promise<boolean> => {
  const { sql } = visit
  const { notice: name, lane, sweep } = following(visit)
  if (name === 'sweep_started') return (await runningSweeps(sql)).some(({ id }) => String(id) === sweep)
  if (name !== 'lane_held' && name !== 'lane_resumed') return true
  const held = (await heldLanes(sql)).some((each) => laneId(each) === lane)
  return held === (name === 'lane_held')
}

const disk = async ({ home, labels, format }: Visit): Promise<Html | null> => {
  const stats = await statfs(home.path).catch(() => null)
  return stats && html`<p class="quiet-text">${labels.system.disk(format.bytes(stats.bavail * stats.bsize))}</p>`
}

/** The last hour of all workers, by minute: look-ups per second, latency of the registry, and calls that failed. */
const throughputSection = async (visit: Visit): Promise<Html> => {
  const { system } = visit.labels
  const { sql, clock } = visit
  const hour = await readLastHour(sql, clock())
  return html`<section aria-labelledby="hour-title"><h2 id="hour-title">${system.lastHour}</h2>
    ${hour ? plots(visit, hour) : html`<p class="empty">${system.lastHourNone}</p>`}</section>`
}

const plots = ({ labels: { system }, format }: Visit, { minutes, ...total }: LastHour): Html => {
  const times = minutes.map(({ at }) => format.moment(at).slice(-5))
  const plot = (label: string, unit: string, figureOf: (minute: LastHour['minutes'][number]) => number | null) =>
    timesPlot(label, { labels: times, unit, values: minutes.map(figureOf) })
  return html`<p>${system.lastHourTotal(format.count(total.lookups), format.count(total.calls), format.count(total.failures))}
      ${system.lastHourLatency(format.seconds(total.median), format.seconds(total.slow))}</p>
    ${plot(system.lookupsPlot, 'rate', ({ perSecond }) => perSecond)}
    ${plot(system.latencyPlot, 's', ({ slow }) => slow)}
    ${plot(system.failuresPlot, 'count', ({ failures }) => failures)}`
}

/** The form with which an administrator erases a person; the accounting stays. */
const eraseSection = (visit: Visit): Html => {
  const { system } = visit.labels
  return html`<section aria-labelledby="erase-title"><h2 id="erase-title">${system.erase}</h2><p>${system.eraseHint}</p>
    <form class="filter" method="post" action="/system/erase" data-ask="${system.eraseAsk}">${hiddenCsrf(visit)}
      <label class="field"><span>${visit.labels.rows.document}</span><input name="document" required maxlength="30" autocomplete="off" placeholder="${visit.labels.terms.columnRoles.documento}"></label>
      <button class="danger">${system.eraseSubmit}</button></form></section>`
}

const pageSize = 100

/** Who did what, newest first. */
export const addAuditPage = ({ page }: Pages): void => {
  page('admin', '/system/audit', async (visit) => {
    const { labels, request } = visit
    const before = queryText(request.query, 'before') ? idIn(request.query, 'before') : undefined
    const entries = await listAudit(visit.sql, pageSize, before)
    const last = entries.length === pageSize && entries.at(-1)
    const body = html`<p class="eyebrow"><a href="/system">${labels.shell.system}</a></p><h1>${labels.system.audit}</h1>
      <section aria-label="${labels.system.audit}"><div class="table-scroll"><table class="cards audit"><thead><tr><th scope="col">${labels.system.when}</th><th scope="col">${labels.system.who}</th><th scope="col">${labels.system.did}</th><th scope="col">${labels.system.subject}</th><th scope="col">${labels.shell.details}</th></tr></thead>
      <tbody>${entries.map((entry) => auditRow(visit, entry))}</tbody></table></div></section>
      ${last && html`<p><a class="button" href="/system/audit?before=${last.id}">${labels.shell.more}</a></p>`}`
    return layout(visit, { title: labels.system.audit, section: 'system', body })
  })
}

const auditRow = ({ labels, format }: Visit, { at, who, what, subject, detail }: AuditEntry): Html => html`<tr>
  <th scope="row">${format.instant(at)}</th><td data-label="${labels.system.who}">${who}</td><td data-label="${labels.system.did}">${term(labels.terms.actions, what)}</td>
  <td data-label="${labels.system.subject}">${subjectLink(labels.terms.subjects, format.text(subject))}</td><td data-label="${labels.shell.details}">${detailsOf(format, detail)}</td></tr>`

const detailsOf = (format: Visit['format'], detail: AuditEntry['detail']): Part => {
  const text = Object.entries(detail)
    // The first digits of a file's hash are enough to distinguish files.
    .map(
      ([name, value]) =>
        `${name}: ${typeof value === 'string' ? value.replace(/^([0-9a-f]{12})[0-9a-f]{52}$/, '$1…') : JSON.stringify(value)}`,
    )
    .join(' · ')
  return text && html`<small>${format.text(text)}</small>`
}

/** A subject is a name, or names with numbers such as `batch 7 line 3`. */
const subjectLink = (names: Visit['labels']['terms']['subjects'], subject: string): Html => {
  const label = term(
    names,
    subject.replace(/[a-z-]+(?= \d)/g, (name) => term(names, name)),
  )
  const [, id] = /^batch (\d+)/.exec(subject) ?? []
  return id ? html`<a href="/batches/${id}">${label}</a>` : html`${label}`
}

/** The held lanes, their causes, and the button to resume each. */
const lanesSection = async (visit: Visit): Promise<Html> => {
  const { labels, sql } = visit
  const holds = await heldLanes(sql)
  return html`<section id="lanes" aria-labelledby="lanes-title"><h2 id="lanes-title">${labels.system.lanes}</h2>
    ${
      holds.length === 0
        ? html`<p class="empty good">${labels.system.lanesFree}</p>`
        : html`<div class="table-scroll"><table class="cards"><thead><tr><th scope="col">${labels.system.lane}</th><th scope="col">${labels.system.cause}</th>
      <th scope="col">${labels.person.since}</th><th scope="col">${labels.system.nextTry}</th><th></th></tr></thead><tbody>${holds.map((hold) => holdRow(visit, hold))}</tbody></table></div>`
    }
    ${visit.may('ops') && holdForm(visit)}</section>`
}

const holdRow = (visit: Visit, hold: Hold): Html => {
  const { labels, format } = visit
  return html`<tr><th scope="row">${laneName(visit, { ...hold, organization: hold.organizationId })}</th>
    <td data-label="${labels.system.cause}"><strong>${labels.terms.causes[hold.cause]}</strong> ${hold.message && html`<small>${format.heldFor(hold.message)}</small>`}</td>
    <td data-label="${labels.person.since}" class="nowrap">${format.moment(hold.heldAt)}</td><td data-label="${labels.system.nextTry}" class="nowrap">${hold.trialAt ? countdown(visit, hold.trialAt) : '–'}</td>
    <td>${visit.may('ops') && buttonForm(visit, { action: `/system/lanes/${laneId(hold)}/resume`, label: labels.system.resume, look: 'primary' })}</td></tr>`
}

const holdForm = (visit: Visit): Html => {
  const { labels, accounts } = visit
  const lanes = accounts.flatMap(({ organizationId }) =>
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

const operatorsUrl = '/system/operators'

/** Who may sign in. The token of a new operator is in the answer to the form, and nowhere else. */
export const addOperatorsPage = ({ page, action, operationForm }: Pages): void => {
  page('admin', operatorsUrl, (visit) => operatorsPage(visit))
  action('admin', operatorsUrl, async (visit, { name, role, organization, days }) => {
    const given = { name, role, ...(organization && { organization }), ...(days && { expires: `${days}d` }) }
    return operatorsPage(visit, await perform(operatorOperations.add, visit, given))
  })
  operationForm(operatorOperations.changeRole, `${operatorsUrl}/role`, () => operatorsUrl)
  operationForm(operatorOperations.remove, `${operatorsUrl}/remove`, () => operatorsUrl)
}

const operatorsPage = async (visit: Visit, added?: { name: string; token: string }): Promise<Html> => {
  const { labels } = visit
  const { operators: of } = labels
  const { operators: known } = await perform(operatorOperations.list, visit)
  const body = html`<p class="eyebrow"><a href="/system">${labels.shell.system}</a></p><h1>${of.title}</h1>
    ${added && html`<p class="notice" role="status">${of.token(added.name)}<br><code>${added.token}</code></p>`}
    <section aria-label="${of.title}">${
      known.length === 0
        ? html`<p class="empty">${of.empty}</p>`
        : html`<div class="table-scroll"><table class="cards"><thead><tr><th scope="col">${labels.radars.name}</th><th scope="col">${of.role}</th><th scope="col">${of.organizations}</th><th scope="col">${of.expires}</th><th scope="col">${labels.radars.added}</th><th></th></tr></thead>
      <tbody>${known.map((each) => operatorRow(visit, each))}</tbody></table></div>`
    }</section>
    ${addOperatorForm(visit)}`
  return layout(visit, { title: of.title, section: 'system', body })
}

const operatorRow = (visit: Visit, { name, role, organizations, expires, added }: OperatorShown): Html => {
  const { labels, format } = visit
  const { operators: of, terms } = labels
  const isOther = name !== visit.visitor.name
  const remove = {
    action: `${operatorsUrl}/remove`,
    label: of.remove,
    look: 'danger',
    ask: of.removeAsk(name),
  } as const
  return html`<tr><th scope="row">${name}</th><td data-label="${of.role}">${terms.roles[role]}</td>
    <td data-label="${of.organizations}">${organizations?.join(', ') ?? labels.rules.everything}</td><td data-label="${of.expires}">${expires ? format.moment(expires) : '–'}</td>
    <td data-label="${labels.radars.added}">${format.moment(added)}</td>
    <td>${isOther && html`<div class="actions"><form class="filter" method="post" action="${operatorsUrl}/role">${hiddenCsrf(visit)}<input type="hidden" name="name" value="${name}">${roleSelect(visit, role)}<button>${of.change}</button></form>${buttonForm(visit, { ...remove, fields: { name } })}</div>`}</td></tr>`
}

const roleSelect = ({ labels: { operators, terms } }: Visit, chosen: Role): Html =>
  select('role', operators.role, optionsOf(roles, terms.roles), chosen)

const addOperatorForm = (visit: Visit): Html => {
  const { operators: of, radars, rules } = visit.labels
  return html`<section aria-labelledby="add-title"><h2 id="add-title">${of.add}</h2><form class="filter" method="post" action="${operatorsUrl}">${hiddenCsrf(visit)}
    <label class="field"><span>${radars.name}</span><input name="name" required maxlength="60" autocomplete="off"></label>
    ${roleSelect(visit, 'analyst')}
    ${organizationSelect(visit, of.organizations, rules.everything)}
    <label class="field"><span>${of.days}</span><input name="days" inputmode="numeric" pattern="\\d{1,4}" maxlength="4" autocomplete="off"></label>
    <button class="primary">${of.add}</button></form></section>`
}
