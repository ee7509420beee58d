import { type Document, documentTypeOf, readDocument } from '../../../domain/document.ts'
import { maskName } from '../../../domain/mask-documents.ts'
import { lookAtPerson, searchPeople } from '../../../monitoring/read-person.ts'
import { notFound } from '../../../operations/operation.ts'
import { documentIn } from '../../../operations/person.ts'
import type { PersonRecord } from '../../../views/person.ts'
import { isName } from '../../../views/person-record.ts'
import { type Html, html } from '../../../writing/html.ts'
import { openAddress, queryText, sealAddress } from '../../address.ts'
import { answerPanel } from '../../parts/answer-panel.ts'
import { figures } from '../../parts/facts.ts'
import { buttonForm } from '../../parts/form.ts'
import { layout } from '../../parts/layout.ts'
import { verdictLine } from '../../parts/outcomes.ts'
import type { Pages, Visit } from '../../visit.ts'
import {
  answersSection,
  linesSection,
  looksSection,
  lookUp,
  lookupSection,
  portfoliosSection,
  purchasesSection,
  watchSection,
} from './person-sections.ts'

/**
 * Everything that is held about one document. The search is a form and the address is encrypted, so that no address and no
 * log contains the document. Each view is recorded in the audit log.
 */
export const addPersonPage = ({ page, action }: Pages): void => {
  action('analyst', '/person', async (visit, { document = '' }) =>
    // A colon would end the name.
    isName(document)
      ? addressOf(visit, document.replaceAll(':', ' ').trim().slice(0, 60), 'people')
      : addressOf(visit, documentIn(document).number),
  )
  page('analyst', '/people/:name', peoplePage)
  page('analyst', '/person/:person', async (visit) => {
    const document = sealedIn(visit)
    const record = await lookAtPerson(visit.sql, document, { by: visit.visitor.name })
    return personPage(visit, record, false)
  })
  action('ops', '/person/:person/lookup', (visit, form) => lookUp(visit, sealedIn(visit).number, form))
  action('admin', '/person/:person/reveal', async (visit) => {
    const reader = { by: visit.visitor.name, what: 'reveal' as const }
    return personPage(visit, await lookAtPerson(visit.sql, sealedIn(visit), reader), true)
  })
}

/** A person belongs to no organization in particular. */
const addressOf = ({ secret }: Visit, document: string, page: 'person' | 'people' = 'person'): string =>
  `/${page}/${sealAddress(secret, { organizationId: 0n, document })}`

const sealedIn = ({ request, secret }: Visit): Document => {
  const { document } = openAddress(secret, queryText(request.params, 'person', 200) ?? '')
  const parsed = readDocument(document, documentTypeOf(document))
  if ('refused' in parsed) throw notFound('person')
  return parsed.document
}

const personPage = async (visit: Visit, record: PersonRecord, revealed: boolean): Promise<Html> => {
  const { labels, format } = visit
  const shown = format.document(record.document, revealed)
  const reveal =
    !revealed &&
    visit.may('admin') &&
    html`<div class="actions">${buttonForm(visit, { action: `${addressOf(visit, record.document)}/reveal`, label: labels.rows.reveal, look: 'quiet' })}</div>`
  const body = html`<p class="eyebrow">${labels.person.title} · ${record.type}</p>
    <div class="title-line"><h1 class="document">${shown}</h1>${namesOf(visit, record)}${reveal}</div>
    ${
      isEmpty(record)
        ? html`<p class="empty">${labels.person.nothing}</p>`
        : html`${newestVerdict(visit, record)}${headFigures(visit, record)}${unknownNotice(visit, record)}
      ${newestAnswers(visit, record, revealed)}${answersSection(visit, record)}${watchSection(visit, record)}
      ${portfoliosSection(visit, record)}${linesSection(visit, record)}${purchasesSection(visit, record, revealed)}`
    }
    ${visit.may('ops') && lookupSection(visit, record, `${addressOf(visit, record.document)}/lookup`)}
    ${looksSection(visit, record)}
    <p class="quiet-text">${labels.rows.revealHint} ${labels.person.hint}</p>`
  return layout(visit, { title: labels.person.title, body, plots: true })
}

const isEmpty = ({ lookups, radars, snapshots, changes, portfolios, purchases }: PersonRecord): boolean =>
  [lookups, radars, snapshots, changes, portfolios, purchases].every((held) => held.length === 0)

/** The name in radars and portfolios; else that of the registry, masked as on every page. */
const namesOf = ({ format }: Visit, { radars, portfolios, lookups, purchases }: PersonRecord): Html => {
  const own = [...radars, ...portfolios].map(({ name }) => name)
  const registered = [...lookups, ...purchases].map(({ name }) => name && maskName(name))
  const names = [...new Set(own.some(Boolean) ? own : registered)].filter(Boolean) as string[]
  return html`${names.map((name) => html`<strong>${format.text(name)}</strong>`)}`
}

const headFigures = ({ labels, format }: Visit, { lookups, rows, radars }: PersonRecord): Html => {
  const count = (value: number) => format.count(value)
  return html`<section>${figures([
    [labels.person.answered, count(lookups.filter(({ answered }) => answered).length)],
    [labels.help.files, count(new Set(rows.map(({ batch }) => batch)).size)],
    [labels.shell.radars, count(radars.filter(({ removed }) => !removed).length)],
    [labels.batches.charged, count(lookups.filter(({ charged }) => charged === 'yes').length)],
  ])}</section>`
}

const unknownNotice = ({ labels, format }: Visit, { lookups }: PersonRecord): Html | null => {
  const parked = lookups.filter(({ state }) => state === 'unknown_outcome').length
  return parked === 0
    ? null
    : html`<p class="notice warn">${labels.person.parked(format.count(parked))} <a href="/parked">${labels.shell.parked}</a></p>`
}

/** The latest analysis in a sentence; if there is none, the latest count of lawsuits. */
const newestVerdict = (visit: Visit, { lookups }: PersonRecord): Html | null => {
  const newest = (kind: 'analysis' | 'processes') => lookups.findLast((each) => each.answered && each.kind === kind)
  const found = newest('analysis') ?? newest('processes')
  return found ? verdictLine(visit, found, found.kind) : null
}

/** The latest answer of each kind of look-up. */
const newestAnswers = (visit: Visit, { lookups }: PersonRecord, revealed: boolean): Html => {
  const { labels, format } = visit
  const newest = new Map(
    lookups.filter(({ answered, kind }) => answered && kind !== 'radar').map((each) => [each.kind, each]),
  )
  return html`${[...newest.values()].map(
    (each) => html`<section><h2>${labels.person.newest(labels.terms.kinds[each.kind])}</h2>
      ${each.asOf && html`<p class="caption">${labels.rows.asOf} ${format.moment(each.asOf)}</p>`}
      ${answerPanel(visit, each, { kind: each.kind, seen: each.seen, revealed })}</section>`,
  )}`
}

const mostShown = 100

/** The people with a name that somebody searched for. The address is encrypted, like that of a person. */
const peoplePage = async (visit: Visit): Promise<Html> => {
  const { labels, format, visitor, request } = visit
  const { document: name } = openAddress(visit.secret, queryText(request.params, 'name', 300) ?? '')
  const found = await searchPeople(visit.sql, name, { by: visitor.name, limit: mostShown + 1 })
  const { people } = labels.person
  const body = html`<h1>${people.title}</h1><p class="lead">${people.searched(name)}</p>
      <section aria-label="${people.title}">${
        found.length === 0
          ? html`<p class="empty">${people.none}</p>`
          : html`<ul class="plain-list">${found
              .slice(0, mostShown)
              .map(
                (person) =>
                  html`<li><a href="${addressOf(visit, person.document)}">${format.text(person.name)}</a> <span class="document">${format.document(person.document)}</span></li>`,
              )}</ul>`
      }
      ${found.length > mostShown && html`<p class="caption">${people.more(format.count(mostShown))}</p>`}</section>
      <p class="quiet-text">${labels.rows.revealHint}</p>`
  return layout(visit, { title: people.title, body })
}
