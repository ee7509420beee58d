import type { PersonTraces } from '../../monitoring/read-person.ts'
import type { PersonShown } from '../../views/person.ts'
import { answerLines } from './row.ts'
import { bracketedPrice, counted, localMoment, renderFacts, renderTable } from './texts.ts'

export type PersonHeld = PersonShown & { traces: PersonTraces }

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
    lookups.length > 0 &&
      renderTable(
        columns('LOOK-UP', 'KIND', 'STATE', 'ASKED', 'AS OF', 'CHARGED', 'KEPT UNTIL'),
        lookups.map((each) => [
          String(each.lookup),
          each.kind,
          each.state,
          at(each.asked),
          at(each.asOf),
          `${each.charged}${bracketedPrice(each.price)}`,
          at(each.keptUntil),
        ]),
      ),
    rows.length > 0 &&
      renderTable(
        columns('BATCH', 'LINE', 'FILE', 'BY', 'SUBMITTED', 'STATE', 'PURPOSE', 'AUTHORIZATION'),
        rows.map((row) => [
          String(row.batch),
          String(row.line),
          row.name,
          row.by ?? row.source,
          at(row.submitted),
          row.state,
          row.purpose ?? '',
          row.authorization ?? '',
        ]),
      ),
    radars.length > 0 &&
      renderTable(
        columns('RADAR OF', 'NAME', 'STATE', 'VERIFIED'),
        radars.map((each) => [String(each.organization), each.name, radarState(each), at(each.verified)]),
      ),
    changes.length > 0 &&
      renderTable(
        columns('CHANGED', 'FIELD', 'VERDICT', 'BEFORE', 'AFTER'),
        changes.map((each) => [at(each.seen), each.field, each.verdict, each.before ?? '', each.after ?? '']),
      ),
    portfolios.length > 0 &&
      renderTable(
        columns('PORTFOLIO', 'OF', 'KIND', 'PURPOSE', 'AUTHORIZATION', 'SINCE', 'REMOVED'),
        portfolios.map((each) => [
          each.portfolio,
          String(each.organization),
          each.kind,
          each.purpose ?? '',
          each.authorization ?? '',
          at(each.since),
          each.removed ? at(each.removed) : '',
        ]),
      ),
    purchases.length > 0 &&
      renderTable(
        columns('PURCHASE', 'KIND', 'DATED', 'STATUS', 'OF LOOK-UP'),
        purchases.map((each) => [each.id, each.kind, each.dated ?? '', each.status ?? '', String(each.lookup ?? '')]),
      ),
    traces.files.length > 0 && ['Files that hold it', ...traces.files.map(({ path }) => `  ${path}`)].join('\n'),
    looks.length > 0 &&
      renderTable(
        columns('LOOKED', 'WHO', 'WHAT', 'AT'),
        looks.map((each) => [at(each.at), each.who, each.what, each.subject]),
      ),
  ]
  return parts.filter(Boolean).join('\n\n')
}

const columns = (...titles: string[]) => titles.map((title) => ({ title }))

const radarState = ({ removed, active }: PersonHeld['radars'][number]): string =>
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
