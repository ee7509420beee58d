import type { FastifyInstance } from 'fastify'
import type { Layout } from '../../../batches/layout.ts'
import { readRowRecord, readStoryLine } from '../../../batches/row-story.ts'
import { batchOrRefuse } from '../../../batches/steer.ts'
import { term } from '../../../domain/terms/term.ts'
import type { Batch } from '../../../store/batches/batches.ts'
import type { LookupStory } from '../../../store/lookups/lookups.ts'
import { recordAudit } from '../../../store/people/audit.ts'
import type { BatchRow } from '../../../views/row.ts'
import { checkForm } from '../../access/guard.ts'
import { idIn, lineIn } from '../../address.ts'
import { type Html, html } from '../../html.ts'
import { batchName, facts } from '../../parts/facts.ts'
import { buttonForm } from '../../parts/form.ts'
import { layout } from '../../parts/layout.ts'
import { outcomeBadge } from '../../parts/outcome-bar.ts'
import { notFound } from '../../refusals.ts'
import type { Site } from '../../site.ts'
import { page, sendHtml, type Visit, visitOf } from '../../visit.ts'
import { repairOf } from '../../words/choose-words.ts'
import { choices } from './resolve.ts'

/** One row and its whole story. The document is shown to an administrator who asks, and the log notes it. */
export const addRowPage = (app: FastifyInstance, site: Site): void => {
  const address = '/batches/:batch/rows/:line'
  page(app, site, 'analyst', address, (visit) => rowPage(visit, false))
  app.post(`${address}/reveal`, { config: { role: 'admin' } }, async (request, reply) => {
    checkForm(request, (request.body as Record<string, string> | undefined)?.csrf)
    const visit = visitOf(site, request, reply)
    const subject = `batch ${idIn(request.params, 'batch')} line ${lineIn(request.params)}`
    await recordAudit(site.engine.sql, visit.visitor.name, 'reveal', subject)
    return sendHtml(reply, await rowPage(visit, true))
  })
}

const rowPage = async (visit: Visit, revealed: boolean): Promise<Html> => {
  const { request, site, words, format } = visit
  const batch = await batchOrRefuse(site.engine.sql, idIn(request.params, 'batch'))
  const record = await readRowRecord(site.engine.sql, batch.id, lineIn(request.params))
  if (!record) throw notFound('row')
  const { row, lookup: story, state } = record
  const title = words.rows.storyOf(format.count(row.line))
  const body = html`
    <p class="eyebrow"><a href="/batches/${batch.id}">${batchName(visit, batch)}</a></p>
    <div class="title-line"><h1>${title}</h1>${outcomeBadge(words, state ?? 'pending')}</div>
    ${row.rejectReason && html`<p class="notice warn"><strong>${term(words.terms.rejectReasons, row.rejectReason)}</strong> ${row.rejectDetail && html`<small>${format.told(row.rejectSaid ?? row.rejectDetail)}</small>`}</p>`}
    ${story && html`<section>${storyFacts(visit, batch, row, story, revealed)}</section>`}
    ${story?.state === 'unknown_outcome' && html`<section><h2>${words.parked.settle}</h2>${choices(visit, { action: `/batches/${batch.id}/rows/${row.line}/resolve`, kind: batch.kind })}</section>`}
    ${story && html`<section><h2>${words.rows.story}</h2>${trace(visit, story)}</section>`}`
  return layout(visit, { title, section: 'batches', body })
}

const storyFacts = (visit: Visit, batch: Batch, row: BatchRow, story: LookupStory, revealed: boolean): Html => {
  const { words, format } = visit
  const moment = (value: Date | null) => value && format.moment(value)
  const shared = row.askedBy !== null && row.askedBy !== batch.id
  return html`${facts([
    [words.rows.question, documentOf(visit, batch, story, revealed)],
    [words.batch.verdict, row.repair && repairOf(words, row.repair)],
    [
      words.rows.detail,
      story.detail && html`<span class="sentence wide">${format.told(story.said ?? story.detail)}</span>`,
    ],
    [words.rows.charged, words.terms.charged[row.first && !shared ? story.charged : 'no']],
    [words.rows.remote, story.remoteId && html`<code>${format.text(story.remoteId)}</code>`],
    [words.rows.seen, story.seen && html`<code>${format.text(story.seen)}</code>`],
    [words.rows.asked, moment(story.askedAt)],
    [words.rows.sent, moment(story.sendingAt)],
    [words.rows.asOf, moment(story.asOf)],
    [words.rows.due, moment(story.dueAt)],
    [words.rows.deadline, story.finishedAt ? null : moment(story.deadlineAt)],
    [words.rows.finished, moment(story.finishedAt)],
    [words.rows.attempts, story.attempts > 0 && format.count(story.attempts)],
    [words.rows.polls, story.polls > 0 && format.count(story.polls)],
  ])}
  ${shared && html`<p>${words.rows.sharedWith(String(row.askedBy))}</p>`}
  ${!revealed && visit.may('admin') && html`<div class="actions">${buttonForm(visit, { action: `/batches/${batch.id}/rows/${row.line}/reveal`, label: words.rows.reveal })}<small>${words.rows.revealHint}</small></div>`}`
}

const documentOf = ({ format }: Visit, batch: Batch, { question }: LookupStory, revealed: boolean): Html => {
  const isProcess = (batch.layout as Layout | null)?.columns.document === undefined
  return html`<span class="document">${isProcess ? format.text(question) : format.document(question, revealed)}</span>`
}

const trace = ({ words, format }: Visit, story: LookupStory): Html =>
  story.trace.length === 0
    ? html`<p class="empty">${words.rows.noStory}</p>`
    : html`<ol class="story">${story.trace.map((line) => {
        const { at, what } = readStoryLine(line)
        return html`<li>${at && html`<time datetime="${at}">${format.instant(new Date(at))}</time>`} <span class="sentence">${format.told(what)}</span></li>`
      })}</ol>`
