import { basename } from 'node:path'
import { formatPrice, parseAmount } from '../../domain/amount.ts'
import { changedField, changedValue } from '../../domain/changed-field.ts'
import { formatPurpose } from '../../domain/purpose.ts'
import { readableKey } from '../../domain/readable-pairs.ts'
import { type Labels, labelsIn } from '../../messages/labels.ts'
import type { Language } from '../../messages/languages.ts'
import { notificationLabels } from '../../messages/notifications.ts'
import { term } from '../../messages/term.ts'
import type { PersonTraces } from '../../monitoring/read-person.ts'
import type { PersonShown } from '../../views/person.ts'
import { createFormat, type Format } from '../../writing/format.ts'
import { answerLines, isNone } from './row.ts'
import { bracketedPrice, type Column, counted, localMoment, renderFacts, renderTable } from './texts.ts'

type PersonHeld = PersonShown & { traces: PersonTraces }

/** A person's record on a terminal: first the counts, then each item, then who looked at it. */
export const renderPerson = (held: PersonHeld, timezone: string): string => {
  const { document, type, lookups, rows, radars, changes, portfolios, purchases, looks, traces } = held
  const at = (time: string | null) => localMoment(time, timezone)
  const newest = lookups.findLast((each) => each.answer)
  const parts = [
    renderFacts([
      ['Person', `${document} (${type})`],
      ['Held', heldText(held)],
    ]),
    newest?.answer && `${newest.kind}, as of ${at(newest.asOf ?? newest.finished)}\n${answerLines(newest.answer)}`,
    table(lookups, [
      ['LOOK-UP', ({ lookup }) => lookup],
      ['KIND', ({ kind }) => kind],
      ['STATE', ({ state }) => state],
      ['ASKED', ({ asked }) => at(asked)],
      ['AS OF', ({ asOf }) => at(asOf)],
      ['CHARGED', ({ charged, price }) => `${charged}${bracketedPrice(price)}`],
      ['KEPT UNTIL', ({ keptUntil }) => at(keptUntil)],
    ]),
    table(rows, [
      ['BATCH', ({ batch }) => batch],
      ['LINE', ({ line }) => line],
      ['FILE', ({ name }) => name],
      ['BY', ({ by, source }) => by ?? source],
      ['SUBMITTED', ({ submitted }) => at(submitted)],
      ['STATE', ({ state }) => state],
      ['PURPOSE', ({ purpose }) => purpose],
      ['AUTHORIZATION', ({ authorization }) => authorization],
    ]),
    table(radars, [
      ['RADAR OF', ({ organization }) => organization],
      ['NAME', ({ name }) => name],
      ['STATE', radarState],
      ['VERIFIED', ({ verified }) => at(verified)],
    ]),
    table(changes, [
      ['CHANGED', ({ seen }) => at(seen)],
      ['FIELD', ({ field }) => field],
      ['VERDICT', ({ verdict }) => verdict],
      ['BEFORE', ({ before }) => before],
      ['AFTER', ({ after }) => after],
    ]),
    table(portfolios, [
      ['PORTFOLIO', ({ portfolio }) => portfolio],
      ['OF', ({ organization }) => organization],
      ['KIND', ({ kind }) => kind],
      ['PURPOSE', ({ purpose }) => purpose],
      ['AUTHORIZATION', ({ authorization }) => authorization],
      ['SINCE', ({ since }) => at(since)],
      ['REMOVED', ({ removed }) => at(removed)],
    ]),
    table(purchases, [
      ['PURCHASE', ({ id }) => id],
      ['KIND', ({ kind }) => kind],
      ['DATED', ({ dated }) => dated],
      ['STATUS', ({ status }) => status],
      ['OF LOOK-UP', ({ lookup }) => lookup],
    ]),
    traces.files.length > 0 && ['Files that hold it', ...traces.files.map(({ path }) => `  ${path}`)].join('\n'),
    table(looks, [
      ['LOOKED', (each) => at(each.at)],
      ['WHO', ({ who }) => who],
      ['WHAT', ({ what }) => what],
      ['AT', ({ subject }) => subject],
    ]),
  ]
  return parts.filter(Boolean).join('\n\n')
}

const table = <Row>(rows: readonly Row[], columns: readonly Column<Row>[]): string =>
  rows.length > 0 ? renderTable(rows, columns) : ''

export const radarState = ({ removed, active }: { removed: string | null; active: boolean }): string =>
  removed ? 'removed' : active ? 'active' : 'inactive'

const heldText = ({ lookups, rows, radars, changes, portfolios, purchases, traces }: PersonHeld): string =>
  [
    counted(lookups.length, 'look-up'),
    counted(rows.length, 'line'),
    counted(radars.length, 'radar'),
    counted(changes.length, 'change'),
    counted(portfolios.length, 'portfolio'),
    counted(purchases.length, 'listed purchase'),
    counted(traces.storedFiles.length, 'stored file'),
    counted(traces.files.length, 'file'),
  ].join(', ')

/** The report to a person about what is held of them: what, where it came from, when, why, for how long, who saw it. */
export const personReport = (held: PersonHeld, language: Language, timezone: string): string => {
  const labels = labelsIn(language)
  const { report } = labels.person
  const format = createFormat(timezone, labels)
  const { fields } = notificationLabels[language]
  const figure = (field: string, text: string | null) => (text === null ? '–' : changedValue(format, field, text))
  const at = (time: string | null) => (time ? new Date(time).toLocaleString(language, { timeZone: timezone }) : '–')
  const consent = ({ authorization, ...each }: { authorization: string | null; purpose: string | null }) =>
    `${purposeText(labels, each)}${authorization === null ? '' : `; ${labels.terms.columnRoles.autorizacao}: ${authorization}`}`
  const records = held.traces.texts.reduce((sum, { rows }) => sum + rows, 0)
  const section = (title: string, lines: string[]) => [
    title,
    '-'.repeat(title.length),
    ...(lines.length > 0 ? lines : [report.nothing]),
    '',
  ]
  return `${[
    report.title,
    '='.repeat(report.title.length),
    '',
    `${report.document}: ${held.document} (${held.type})`,
    `${report.written}: ${at(new Date().toISOString())}`,
    '',
    report.why,
    '',
    ...section(
      report.answers,
      held.lookups.flatMap((each) => lookupLines(each, labels, { at, format })),
    ),
    ...section(
      report.lines,
      held.rows.map(
        (row) =>
          `${report.line(row.name, String(row.line), at(row.submitted), row.by ?? row.source, at(row.keptUntil))}${consent(row)}`,
      ),
    ),
    ...section(report.radars, [
      ...held.radars.map(
        (each) => `${each.name || held.document}: ${report.radarOf(String(each.organization), at(each.added))}`,
      ),
      ...held.snapshots.map((each) => `${at(each.verified)}  ${labels.risk.lawsuits}: ${each.processes ?? '–'}`),
      ...held.suspicious.map((organization) => report.suspicious(String(organization))),
      ...held.changes.map(
        (each) =>
          `${at(each.seen)}  ${changedField(labels.terms.classifications, fields, each.field)}: ${figure(each.field, each.before)} → ${figure(each.field, each.after)} (${term(labels.terms.verdicts, each.verdict)})`,
      ),
      ...held.portfolios.map(
        (each) =>
          `${report.portfolioOf(each.portfolio, labels.terms.kinds[each.kind], String(each.organization), at(each.since))}${[
            each.name,
            each.ref,
          ]
            .filter(Boolean)
            .map((text) => `; ${text}`)
            .join('')}${consent(each)}`,
      ),
    ]),
    ...section(report.purchases, [
      ...held.purchases.map((each) => `${labels.terms.kinds[each.kind]} ${each.id} ${each.dated ?? ''}`.trim()),
      ...held.purchases.flatMap(({ name, fields }) => [
        ...(name ? [`    ${labels.answer.registryName}: ${name}`] : []),
        ...fields.map(({ path, value }) => `    ${path.map(readableKey).join(' · ')}: ${value ?? '–'}`),
      ]),
      ...held.usage.map((each) => report.usage(each.day, each.id ?? '–')),
    ]),
    ...section(report.files, [
      ...held.traces.files.map(({ path }) => report.file(basename(path))),
      ...held.traces.storedFiles.map(({ batches, rows }) =>
        batches.length > 0 ? report.stored(batches.join(', '), String(rows)) : report.uploaded(String(rows)),
      ),
      ...(records > 0 ? [report.records(format.count(records))] : []),
    ]),
    ...section(
      report.looks,
      held.looks.map((each) => `${at(each.at)}  ${each.who}: ${term(labels.terms.actions, each.what)}`),
    ),
    report.beyond,
  ].join('\n')}\n`
}

const purposeText = ({ purposes, terms }: Labels, { purpose }: { purpose: string | null }): string =>
  purpose === null ? '' : `; ${purposes.purpose}: ${formatPurpose(terms.legalBases, purpose)}`

/** An amount that cannot be read stays as the registry sent it. */
const amountOf = (value: string | null, format: Format): string => {
  const cents = parseAmount(value)
  return cents === null ? (value ?? '–') : format.cents(cents)
}

/**
 * The look-up and its answer. Where the registry keeps its files is left out: these addresses are temporary, and are
 * not about the person.
 */
const lookupLines = (
  each: PersonHeld['lookups'][number],
  labels: Labels,
  { at, format }: { at: (time: string | null) => string; format: Format },
): string[] => {
  const { report } = labels.person
  const cost = each.price ? `, ${formatPrice(each.price, labels.language)}` : ''
  const head = `${labels.terms.kinds[each.kind]}: ${term(labels.terms.outcomes, each.state)}, ${report.asked(at(each.asked), String(each.organization))}${cost}; ${report.kept(at(each.keptUntil))}${purposeText(labels, each)}`
  const classes = (each.answer?.classes ?? [])
    .filter((each) => !isNone(each))
    .map(
      ({ key, count, value }) =>
        `    ${labels.terms.classifications[key]}: ${count ?? '–'} (${amountOf(value, format)})`,
    )
  const pairs = (each.answer?.facts ?? []).map(
    ({ path, value }) => `    ${path.map(readableKey).join(' · ')}: ${value ?? '–'}`,
  )
  const { answer } = each
  const total = answer?.total ?? null
  const texts = labels.answer
  const fields = [
    [texts.registryName, each.name],
    [texts.terms, answer?.terms.join(' | ')],
    [texts.protestStatus, answer?.protestStatus],
    [texts.estimated, each.estimated],
    [texts.previous, answer?.previousId],
    [texts.plan, answer?.plan],
    ...(answer?.fields ?? []).map(({ path, value }) => [path.map(readableKey).join(' · '), value] as const),
  ].flatMap(([name, value]) => (value === null || value === undefined || value === '' ? [] : [`    ${name}: ${value}`]))
  return [head, ...classes, ...pairs, ...fields, ...(total === null ? [] : [`    ${labels.risk.lawsuits}: ${total}`])]
}
