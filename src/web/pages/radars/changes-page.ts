import type { FastifyInstance } from 'fastify'
import { readOwnNames } from '../../../batches/own-names.ts'
import type { Message } from '../../../domain/messages/message.ts'
import { listChanges } from '../../../views/change.ts'
import { countUnverified, listNights, type Night } from '../../../views/sweep.ts'
import { type Html, html, type Part } from '../../../writing/html.ts'
import { recordAcknowledgement } from '../../actions/acknowledge.ts'
import { idIn, queryText } from '../../address.ts'
import { layout } from '../../parts/layout.ts'
import type { SiteFor } from '../../site/site.ts'
import { action, page, type Visit } from '../../visit.ts'
import { changeTable } from './change-table.ts'

const shown = 500

/** The changes of the last sweep, worst first; another night of the last 30 days can be chosen. */
export const addChangesPage = (app: FastifyInstance, siteFor: SiteFor, secret: Buffer): void => {
  page(app, siteFor, 'analyst', '/changes', async (visit) => {
    const { labels, request } = visit
    const { sql, clock } = visit.site.engine
    const nights = await listNights(sql, new Date(clock().getTime() - 31 * 86_400_000))
    const wanted = queryText(request.query, 'sweep') && idIn(request.query, 'sweep')
    const night = nights.find(({ id }) => id === wanted) ?? nights.find(({ state }) => state === 'done') ?? nights[0]
    const body = html`<h1>${labels.changes.title}</h1>${visit.visitor.organizations === null && html`<p><a href="/rules">${labels.rules.title}</a></p>`}
      ${night ? await nightSection(visit, night, secret) : html`<p class="empty">${labels.changes.emptyAll}</p>`}
      ${
        nights.length > 1 &&
        html`<nav aria-labelledby="earlier-title"><h2 id="earlier-title">${labels.changes.earlier}</h2>
        <ul class="nights">${nights.map((each) => nightLink(visit, each, each === night))}</ul></nav>`
      }`
    return layout(visit, { title: labels.changes.title, section: 'changes', body })
  })
}

/** Acknowledges a change, or snoozes it for some days. */
export const addAcknowledgement = (app: FastifyInstance, siteFor: SiteFor): void => {
  action(
    app,
    siteFor,
    'ops',
    '/changes/:change/acknowledge',
    async ({ site, visitor, request }, { note = '', days = '' }) => {
      const forMs = /^\d{1,3}$/.test(days) ? Number(days) * 86_400_000 : null
      await recordAcknowledgement(site, idIn(request.params, 'change'), { by: visitor.name, note, forMs })
      return '/changes'
    },
  )
}

const nightSection = async (visit: Visit, night: Night, secret: Buffer): Promise<Html> => {
  const { labels, format, site } = visit
  const { sql } = site.engine
  const changes = await listChanges(sql, { sweepId: night.id, limit: shown })
  const unverified = night.verified < night.due ? await countUnverified(sql, night.id) : []
  return html`<section aria-labelledby="night-title"><h2 id="night-title">${format.moment(night.startedAt)}</h2>
    <p class="lead">${labels.changes.proof(format.count(night.verified), format.count(night.due), format.count(night.changed))}</p>
    ${night.state === 'running' && html`<p class="busy">${labels.changes.running}</p>`}
    ${notVerified(visit, night, unverified)}
    ${
      changes.length === 0
        ? html`<p class="empty">${labels.changes.empty}</p>`
        : html`${changeTable(visit, changes, { secret, to: 'radars', ownNames: await readOwnNames(sql, changes) })}
      <p class="actions"><a class="button" href="/changes/${night.id}.csv" download>${labels.risk.csv}</a><a class="button" href="/changes/${night.id}.xlsx" download>${labels.risk.workbook}</a></p>`
    }</section>`
}

const notVerified = (
  { labels, format }: Visit,
  { due, verified }: Night,
  reasons: { reason: string; message: Message | null; documents: number }[],
): Part =>
  reasons.length > 0 &&
  html`<div class="notice warn"><p>${labels.changes.unverified(format.count(due - verified))}</p>
    <ul>${reasons.map(({ reason, message, documents }) => html`<li>${format.message(message ?? reason) || '–'} <strong>${format.count(documents)}</strong></li>`)}</ul></div>`

const nightLink = ({ format }: Visit, { id, startedAt, changed }: Night, current: boolean): Html =>
  html`<li><a href="/changes?sweep=${id}"${current && html` aria-current="true"`}>${format.moment(startedAt).replace(/\/\d{4}/, '')} <strong>${format.count(changed)}</strong></a></li>`
