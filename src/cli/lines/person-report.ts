import { formatPrice } from '../../domain/amount.ts'
import type { Language } from '../../domain/languages.ts'
import { readableKey } from '../../domain/readable-pairs.ts'
import { term } from '../../domain/terms/term.ts'
import { labelsIn } from '../../web/labels/choose-labels.ts'
import type { Labels } from '../../web/labels/en.ts'
import type { PersonHeld } from './person.ts'
import { isNone } from './row.ts'

/** The report to a person about what is held of them: what, where it came from, when, why, for how long, who saw it. */
export const personReport = (held: PersonHeld, language: Language, timezone: string): string => {
  const labels = labelsIn(language)
  const { report } = labels.person
  const at = (time: string | null) => (time ? new Date(time).toLocaleString(language, { timeZone: timezone }) : '–')
  const consent = ({ authorization }: { authorization: string | null }) =>
    authorization === null ? '' : `; ${labels.terms.columnRoles.autorizacao}: ${authorization}`
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
      held.lookups.flatMap((each) => lookupLines(each, labels, at)),
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
      ...held.snapshots.map((each) => `${at(each.verified)}  ${labels.answer.lawsuits}: ${each.processes ?? '–'}`),
      ...held.suspicious.map((organization) => report.suspicious(String(organization))),
      ...held.changes.map(
        (each) =>
          `${at(each.seen)}  ${each.field}: ${each.before ?? '–'} → ${each.after ?? '–'} (${term(labels.terms.verdicts, each.verdict)})`,
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
      ...held.traces.files.map(({ path }) => path),
      ...held.traces.storedFiles.map(({ batches, rows }) =>
        batches.length > 0 ? report.stored(batches.join(', '), String(rows)) : report.uploaded(String(rows)),
      ),
      ...held.traces.texts.map(({ table, column, rows }) => report.text(`${table}.${column}`, String(rows))),
    ]),
    ...section(
      report.looks,
      held.looks.map((each) => `${at(each.at)}  ${each.who}: ${term(labels.terms.actions, each.what)}`),
    ),
    report.beyond,
  ].join('\n')}\n`
}

const lookupLines = (
  each: PersonHeld['lookups'][number],
  labels: Labels,
  at: (time: string | null) => string,
): string[] => {
  const { report } = labels.person
  const cost = each.price ? `, ${formatPrice(each.price, labels.language)}` : ''
  const head = `${labels.terms.kinds[each.kind]}: ${term(labels.terms.outcomes, each.state)}, ${report.asked(at(each.asked), String(each.organization))}${cost}; ${report.kept(at(each.keptUntil))}`
  const classes = (each.answer?.classes ?? [])
    .filter((each) => !isNone(each))
    .map(({ key, count, value }) => `    ${labels.terms.classifications[key]}: ${count ?? '–'} (${value ?? '–'})`)
  const pairs = (each.answer?.facts ?? []).map(
    ({ path, value }) => `    ${path.map(readableKey).join(' · ')}: ${value ?? '–'}`,
  )
  const { answer } = each
  const total = answer?.total ?? null
  const texts = labels.answer
  const stored = Object.entries(answer?.stored ?? {}).map(
    ([key, value]) => [texts.stored[key as keyof typeof texts.stored], value] as const,
  )
  const fields = [
    [texts.registryName, answer?.name],
    [texts.terms, answer?.terms.join(' | ')],
    [texts.protestStatus, answer?.protestStatus],
    [texts.estimated, answer?.estimated],
    [texts.previous, answer?.previousId],
    [texts.plan, answer?.plan],
    ...stored,
    ...(answer?.fields ?? []).map(({ path, value }) => [path.map(readableKey).join(' · '), value] as const),
  ].flatMap(([name, value]) => (value === null || value === undefined || value === '' ? [] : [`    ${name}: ${value}`]))
  return [head, ...classes, ...pairs, ...fields, ...(total === null ? [] : [`    ${labels.answer.lawsuits}: ${total}`])]
}
