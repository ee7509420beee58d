import { basename } from 'node:path'
import { formatPrice, type Price, parseAmount } from '../../domain/amount.ts'
import { changedField, changedValue } from '../../domain/changed-field.ts'
import { formatPurpose } from '../../domain/purpose.ts'
import { readableKey } from '../../domain/readable-pairs.ts'
import { type Labels, labelsIn } from '../../messages/labels.ts'
import type { Language } from '../../messages/languages.ts'
import { term } from '../../messages/term.ts'
import type { PersonTraces } from '../../monitoring/read-person.ts'
import type { PersonShown } from '../../views/person.ts'
import { createFormat, type Format } from '../../writing/format.ts'
import { answerLines, isNone } from './row.ts'
import { bracketedPrice, type Column, counted, joined, localMoment, renderFacts, renderTable, spaced } from './texts.ts'

type PersonHeld = PersonShown & { traces: PersonTraces }

/** A person's record on a terminal: first the counts, then each item, then who looked at it. */
export const renderPerson = (held: PersonHeld, timezone: string): string => {
  const { document, type, lookups, rows, radars, changes, portfolios, purchases, looks, traces } = held
  const at = (time: string | null) => localMoment(time, timezone)
  const table = <Row>(title: string, of: readonly Row[], fields: readonly (keyof Row & string)[]) => {
    const columns = fields.map(
      (field): Column<Row> => [spaced(field).toUpperCase(), (row) => cellOf(field, row[field], at)],
    )
    return of.length > 0 && `${title}\n${renderTable(of, columns)}`
  }
  const newest = lookups.findLast((each) => each.answer)
  const parts = [
    renderFacts({ Person: `${document} (${type})`, Held: heldText(held) }),
    newest?.answer && `${newest.kind}, as of ${at(newest.asOf ?? newest.finished)}\n${answerLines(newest.answer)}`,
    table('Look-ups', lookups, ['lookup', 'kind', 'state', 'asked', 'asOf', 'charged', 'price', 'keptUntil']),
    table('Lines of files', rows, lineFields),
    table('Radars', radars, ['organization', 'name', 'active', 'removed', 'verified']),
    table('Changes', changes, ['seen', 'field', 'verdict', 'before', 'after']),
    table('Portfolios', portfolios, portfolioFields),
    table('Purchases in the registry’s list', purchases, ['id', 'kind', 'dated', 'status', 'lookup']),
    traces.files.length > 0 && ['Files that hold it', ...traces.files.map(({ path }) => `  ${path}`)].join('\n'),
    table('Who looked', looks, ['at', 'who', 'what', 'subject']),
  ]
  return joined(parts, '\n\n')
}

const lineFields = ['batch', 'line', 'name', 'by', 'source', 'submitted', 'state', 'purpose', 'authorization'] as const
const portfolioFields = ['portfolio', 'organization', 'kind', 'purpose', 'authorization', 'since', 'removed'] as const
const moments = ['asked', 'asOf', 'at', 'keptUntil', 'removed', 'seen', 'since', 'submitted', 'verified']

const cellOf = (field: string, value: unknown, at: (time: string | null) => string): string => {
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (field === 'price') return bracketedPrice(value as Price | null).trim()
  return moments.includes(field) ? at(value as string | null) : String(value ?? '')
}

export const radarState = ({ removed, active }: { removed: string | null; active: boolean }): string =>
  removed ? 'removed' : active ? 'active' : 'inactive'

const heldText = ({ lookups, rows, radars, changes, portfolios, purchases, traces }: PersonHeld): string => {
  const { storedFiles, files } = traces
  const records = { 'look-up': lookups, line: rows, radar: radars, change: changes, portfolio: portfolios }
  const held = { ...records, 'listed purchase': purchases, 'stored file': storedFiles, file: files }
  return Object.entries(held)
    .map(([what, all]) => counted(all.length, what))
    .join(', ')
}

/** The report to a person about what is held of them: what, where it came from, when, why, for how long, who saw it. */
export const personReport = (held: PersonHeld, language: Language, timezone: string): string => {
  const labels = labelsIn(language)
  const { terms, answer, risk } = labels
  const { report } = labels.person
  const format = createFormat(timezone, labels)
  const { files, storedFiles, texts } = held.traces
  const at = (time: string | null) => (time ? new Date(time).toLocaleString(language, { timeZone: timezone }) : '–')
  const consent = ({ authorization, purpose }: { authorization: string | null; purpose: string | null }) =>
    `${purposeText(labels, purpose)}${authorization === null ? '' : `; ${terms.columnRoles.autorizacao}: ${authorization}`}`
  const records = texts.reduce((sum, { rows }) => sum + rows, 0)
  const sections: [title: string, ...lines: string[]][] = [
    [report.answers, ...held.lookups.flatMap((each) => lookupLines(each, labels, { at, format }))],
    [
      report.lines,
      ...held.rows.map((row) => {
        const { name, line, submitted, by, source, keptUntil } = row
        return `${report.line(name, String(line), at(submitted), by ?? source, at(keptUntil))}${consent(row)}`
      }),
    ],
    [
      report.radars,
      ...held.radars.map(
        (each) => `${each.name || held.document}: ${report.radarOf(String(each.organization), at(each.added))}`,
      ),
      ...held.snapshots.map((each) => `${at(each.verified)}  ${risk.lawsuits}: ${each.processes ?? '–'}`),
      ...held.suspicious.map((organization) => report.suspicious(String(organization))),
      ...held.changes.map(({ seen, field, before, after, verdict }) => {
        const moved = `${changedValue(format, field, before)} → ${changedValue(format, field, after)} (${term(terms.verdicts, verdict)})`
        return `${at(seen)}  ${changedField(terms, field)}: ${moved}`
      }),
      ...held.portfolios.map((each) => {
        const { portfolio, kind, organization, since, name, ref } = each
        const listed = report.portfolioOf(portfolio, terms.kinds[kind], String(organization), at(since))
        return `${joined([listed, name, ref], '; ')}${consent(each)}`
      }),
    ],
    [
      report.purchases,
      ...held.purchases.map((each) => `${terms.kinds[each.kind]} ${each.id} ${each.dated ?? ''}`.trim()),
      ...held.purchases.flatMap(({ name, fields }) => [
        ...(name ? [`    ${answer.registryName}: ${name}`] : []),
        ...fields.map(pairLine),
      ]),
      ...held.usage.map((each) => report.usage(each.day, each.id ?? '–')),
    ],
    [
      report.files,
      ...files.map(({ path }) => report.file(basename(path))),
      ...storedFiles.map(({ batches, rows }) =>
        batches.length > 0 ? report.stored(batches.join(', '), String(rows)) : report.uploaded(String(rows)),
      ),
      ...(records > 0 ? [report.records(format.count(records))] : []),
    ],
    [report.looks, ...held.looks.map((each) => `${at(each.at)}  ${each.who}: ${term(terms.actions, each.what)}`)],
  ]
  const underlined = (title: string, by: string) => `${title}\n${by.repeat(title.length)}`
  return `${[
    underlined(report.title, '='),
    `${labels.rows.document}: ${held.document} (${held.type})\n${report.written}: ${at(new Date().toISOString())}`,
    report.why,
    ...sections.map(([title, ...lines]) =>
      [underlined(title, '-'), ...(lines.length > 0 ? lines : [report.nothing])].join('\n'),
    ),
    report.beyond,
  ].join('\n\n')}\n`
}

const purposeText = ({ purposes, terms }: Labels, purpose: string | null): string =>
  purpose === null ? '' : `; ${purposes.purpose}: ${formatPurpose(terms.legalBases, purpose)}`

/** An amount that cannot be read stays as the registry sent it. */
const amountOf = (value: string | null, format: Format): string => {
  const cents = parseAmount(value)
  return cents === null ? (value ?? '–') : format.cents(cents)
}

const pairLine = ({ path, value }: { path: string[]; value: unknown }): string =>
  `    ${path.map(readableKey).join(' · ')}: ${value ?? '–'}`

/**
 * The look-up and its answer. Where the registry keeps its files is left out: these addresses are temporary, and are
 * not about the person.
 */
const lookupLines = (
  each: PersonHeld['lookups'][number],
  labels: Labels,
  { at, format }: { at: (time: string | null) => string; format: Format },
): string[] => {
  const { answer } = each
  const { terms, answer: texts, person } = labels
  const { asked, kept } = person.report
  const cost = each.price ? `, ${formatPrice(each.price, labels.language)}` : ''
  const outcome = `${term(terms.outcomes, each.state)}, ${asked(at(each.asked), String(each.organization))}${cost}`
  const classes = (answer?.classes ?? []).filter((each) => !isNone(each))
  const isKnown = (value: unknown) => value !== null && value !== undefined && value !== ''
  const fields = {
    [texts.registryName]: each.name,
    [texts.terms]: answer?.terms.join(' | '),
    [texts.protestStatus]: answer?.protestStatus,
    [texts.estimated]: each.estimated,
    [texts.previous]: answer?.previousId,
    [texts.plan]: answer?.plan,
  }
  return [
    `${terms.kinds[each.kind]}: ${outcome}; ${kept(at(each.keptUntil))}${purposeText(labels, each.purpose)}`,
    ...classes.map(
      ({ key, count, value }) => `    ${terms.classifications[key]}: ${count ?? '–'} (${amountOf(value, format)})`,
    ),
    ...(answer?.facts ?? []).map(pairLine),
    ...Object.entries(fields).flatMap(([name, value]) => (isKnown(value) ? [`    ${name}: ${value}`] : [])),
    ...(answer?.fields ?? []).filter(({ value }) => isKnown(value)).map(pairLine),
    ...(answer?.total == null ? [] : [`    ${labels.risk.lawsuits}: ${answer.total}`]),
  ]
}
