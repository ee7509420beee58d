import type { FastifyInstance } from 'fastify'
import { batchOrRefuse } from '../../../batches/batch-or-refuse.ts'
import { readRowRecord } from '../../../batches/row-story.ts'
import { term } from '../../../domain/terms/term.ts'
import type { Batch } from '../../../store/batches/batches.ts'
import type { LookupStory } from '../../../store/lookups/lookups.ts'
import { recordAudit } from '../../../store/people/audit.ts'
import { hasSpreadsheet } from '../../../views/answer.ts'
import { shownQuestion } from '../../../views/fields.ts'
import type { OwnRow } from '../../../views/own-row.ts'
import { readCandidates } from '../../../views/parked.ts'
import { type RowRecord, readStoryLine } from '../../../views/row-story.ts'
import { type Html, html, type Part } from '../../../writing/html.ts'
import { checkForm } from '../../access/guard.ts'
import { idIn, lineIn } from '../../address.ts'
import { answerPanel } from '../../parts/answer-panel.ts'
import { batchName, facts } from '../../parts/facts.ts'
import { buttonForm } from '../../parts/form.ts'
import { layout } from '../../parts/layout.ts'
import { outcomeBadge } from '../../parts/outcome-bar.ts'
import { notFound } from '../../site/refusals.ts'
import type { SiteFor } from '../../site/site.ts'
import { page, sendHtml, type Visit, visitOf } from '../../visit.ts'
import { repairOf } from '../../words/choose-words.ts'
import { choices } from './resolve.ts'

/** One row: what the registry said, what the file says, and how it travelled. An administrator may see it unmasked, and the log notes it. */
export const addRowPage = (app: FastifyInstance, siteFor: SiteFor): void => {
  const address = '/batches/:batch/rows/:line'
  page(app, siteFor, 'analyst', address, (visit) => rowPage(visit, false))
  app.post(`${address}/reveal`, { config: { role: 'admin' } }, async (request, reply) => {
    checkForm(request, (request.body as Record<string, string> | undefined)?.csrf)
    const visit = visitOf(siteFor, request, reply)
    const subject = `batch ${idIn(request.params, 'batch')} line ${lineIn(request.params)}`
    await recordAudit(visit.site.engine.sql, visit.visitor.name, 'reveal', subject)
    return sendHtml(reply, await rowPage(visit, true))
  })
}

const rowPage = async (visit: Visit, revealed: boolean): Promise<Html> => {
  const { request, site, words, format } = visit
  const batch = await batchOrRefuse(site.engine.sql, idIn(request.params, 'batch'))
  const record = await readRowRecord(site.engine.sql, batch, lineIn(request.params), revealed)
  if (!record) throw notFound('row')
  const { row, own, lookup, state } = record
  const title = words.rows.storyOf(format.count(row.line))
  const action = `/batches/${batch.id}/rows/${row.line}`
  const parked = state === 'unknown_outcome'
  const candidates = (parked && lookup && (await readCandidates(site.engine.sql, [lookup.id])).get(lookup.id)) || []
  const body = html`
    <p class="eyebrow"><a href="/batches/${batch.id}">${batchName(visit, batch)}</a> · ${words.terms.kinds[batch.kind]}</p>
    <div class="title-line"><h1>${title}</h1>${outcomeBadge(words, state ?? 'pending')}</div>
    ${whoLine(visit, batch, record, revealed)}
    ${row.rejectReason && html`<p class="notice warn"><strong>${term(words.terms.rejectReasons, row.rejectReason)}</strong> ${row.detail && html`<small>${format.told(row.said ?? row.detail)}</small>`}</p>`}
    ${parked && html`<section><h2>${words.parked.settle}</h2>${choices(visit, { action: `${action}/resolve`, kind: batch.kind, candidates })}</section>`}
    ${lookup && html`<section aria-labelledby="answer-title"><h2 id="answer-title">${words.answer.title}</h2>${answerPart(visit, record, action, revealed)}</section>`}
    ${own && html`<section aria-labelledby="own-title"><h2 id="own-title">${words.answer.ownFile}</h2>${ownFacts(visit, own)}</section>`}
    ${lookup && html`<section aria-labelledby="story-title"><h2 id="story-title">${words.answer.travelled}</h2>${storyFacts(visit, batch, record, lookup)}${row.told && trace(visit, lookup)}</section>`}`
  return layout(visit, { title, section: 'batches', body })
}

/** Whom it is about: the document, and what the file calls them; an administrator may ask to see both. */
const whoLine = (visit: Visit, batch: Batch, { row, own, lookup }: RowRecord, revealed: boolean): Html => {
  const { words } = visit
  const show =
    !revealed &&
    visit.may('admin') &&
    html`<div class="actions">${buttonForm(visit, { action: `/batches/${batch.id}/rows/${row.line}/reveal`, label: words.rows.reveal, look: 'quiet' })}<small>${words.rows.revealHint}</small></div>`
  return html`<div class="who-line">${lookup && html`<span class="document">${shownQuestion(lookup.question, lookup.kind, revealed)}</span>`}
    ${own?.name && html`<strong>${own.name}</strong>`}${own?.ref && html`<code>${own.ref}</code>`}${show}</div>`
}

const answerPart = (
  visit: Visit,
  { row, lookup, answer, state }: RowRecord,
  address: string,
  revealed: boolean,
): Part => {
  const { words, format } = visit
  const { kind, seen, asOf, finishedAt } = lookup!
  if (!row.told) return html`<p class="empty">${words.answer.left}</p>`
  if (!answer) {
    const why =
      state === 'not_found' ? words.answer.notFound : state === 'ok' ? words.answer.gone : words.answer.noneEnded
    return html`<p class="empty">${finishedAt ? why : words.answer.none}</p>`
  }
  return html`${asOf && html`<p class="caption">${words.rows.asOf} ${format.moment(asOf)}</p>`}
    ${answerPanel(visit, answer, { kind, seen, revealed })}
    ${hasSpreadsheet(answer) && html`<p class="actions"><a class="button" href="${address}/spreadsheet" download>${words.answer.spreadsheet}</a></p>`}`
}

const ownFacts = ({ words }: Visit, { cells }: OwnRow): Html =>
  facts(cells.map(({ column, text }, at) => [column ?? words.answer.ownColumn(String(at + 1)), text.slice(0, 500)]))

const storyFacts = (visit: Visit, batch: Batch, { row }: RowRecord, lookup: LookupStory): Html => {
  const { words, format } = visit
  const shared = row.told && row.askedBy !== null && row.askedBy !== batch.id
  return html`${facts([
    [words.batch.verdict, row.repair && repairOf(words, row.repair)],
    [words.rows.detail, row.detail && html`<span class="sentence wide">${format.told(row.said ?? row.detail)}</span>`],
    [words.rows.charged, words.terms.charged[row.charged]],
    ...(row.told ? lookupFacts(visit, lookup) : []),
  ])}
  ${shared && html`<p>${words.rows.sharedWith(String(row.askedBy))}</p>`}`
}

const lookupFacts = ({ words, format }: Visit, lookup: LookupStory): [string, Part][] => {
  const moment = (value: Date | null) => value && format.moment(value)
  return [
    [words.rows.remote, lookup.remoteId && html`<code>${format.text(lookup.remoteId)}</code>`],
    [words.rows.seen, lookup.seen && html`<code>${format.text(lookup.seen)}</code>`],
    [words.rows.asked, moment(lookup.askedAt)],
    [words.rows.sent, moment(lookup.sendingAt)],
    [words.rows.due, moment(lookup.dueAt)],
    [words.rows.deadline, lookup.finishedAt ? null : moment(lookup.deadlineAt)],
    [words.rows.finished, moment(lookup.finishedAt)],
    [words.rows.attempts, lookup.attempts > 0 && format.count(lookup.attempts)],
    [words.rows.polls, lookup.polls > 0 && !isInDoubt(lookup.state) && format.count(lookup.polls)],
  ]
}

const isInDoubt = (state: string): boolean => state === 'sending' || state === 'unknown_outcome'

const trace = ({ words, format }: Visit, { trace: lines }: LookupStory): Html =>
  lines.length === 0
    ? html`<p class="empty">${words.rows.noStory}</p>`
    : html`<ol class="story">${lines.map((line) => {
        const { at, what } = readStoryLine(line)
        return html`<li>${at && html`<time datetime="${at}">${format.instant(new Date(at))}</time>`} <span class="sentence">${format.told(what)}</span></li>`
      })}</ol>`
