import type { PersonTraces } from '../../monitoring/read-person.ts'
import type { PersonShown } from '../../views/person.ts'
import { answerLines } from './row.ts'
import { bracketedPrice, type Column, counted, localMoment, renderFacts, renderTable } from './texts.ts'

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
