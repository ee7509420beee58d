import { localDay } from '../../domain/local-time.ts'
import { listNights, type Night } from '../../store/sweep-view.ts'
import { type Html, html } from '../html.ts'
import type { Visit } from '../visit.ts'

const nights = 30
const day = 86_400_000

/** The last 30 nights, a square each: whether every document was verified. */
export const coverageCalendar = async (visit: Visit): Promise<Html> => {
  const { site, words } = visit
  const { clock, sql } = site.engine
  const now = clock()
  const sweeps = await listNights(sql, new Date(now.getTime() - (nights + 1) * day))
  const byDay = new Map<string, Night>()
  for (const sweep of sweeps) {
    const on = localDay(sweep.startedAt, site.settings.timezone)
    const known = byDay.get(on)
    if (!known || known.verified < sweep.verified) byDay.set(on, sweep)
  }
  const days = [...Array(nights).keys()].map((back) =>
    localDay(new Date(now.getTime() - (nights - 1 - back) * day), site.settings.timezone),
  )
  return html`<section aria-labelledby="coverage-title"><h2 id="coverage-title">${words.radars.coverage}</h2>
    <ol class="calendar">${days.map((on) => square(visit, on, byDay.get(on)))}</ol>
    <ul class="legend small">${(['full', 'part', 'failed', 'none'] as const).map(
      (level) => html`<li><span class="night ${level}" aria-hidden="true"></span> ${words.radars.legend[level]}</li>`,
    )}</ul></section>`
}

const square = ({ words, format }: Visit, on: string, night: Night | undefined): Html => {
  const date = format.day(on)
  if (!night)
    return html`<li class="night none" title="${words.radars.coverageNone(date)}"><span class="visually-hidden">${words.radars.coverageNone(date)}</span></li>`
  const text = words.radars.coverageNight(
    date,
    format.count(night.verified),
    format.count(night.due),
    format.count(night.changed),
  )
  return html`<li class="night ${levelOf(night)}"><a href="/changes?sweep=${night.id}" title="${text}"><span class="visually-hidden">${text}</span></a></li>`
}

const levelOf = ({ state, due, verified }: Night): 'full' | 'part' | 'failed' =>
  state === 'failed' ? 'failed' : verified >= due && state === 'done' ? 'full' : 'part'
