import { cpf } from '../../support/documents.ts'
import type { Incident, RadarsPlan } from '../plan/plan.ts'

/** What the registry knows of a document: its free figures, and those of an analysis that is made now. */
export type Figures = { processes: number; totalRisk: number; totalAnalyzed: number; count: number; cents: number }

export type RadarsAway = Extract<Incident, { is: 'radars_away' }>['how']

/** A radar as the registry has it. */
export type Radar = { number: number; name: string; active: boolean }

/** The figures of a document after some milliseconds of a history. */
export const figuresAt = ({ events }: RadarsPlan, document: number, at: number): Figures => {
  const figures = { processes: document % 3, totalRisk: 1, totalAnalyzed: 2, count: document % 2, cents: 5_000 }
  for (const event of events) {
    if (event.at > at || event.document !== document || event.is !== 'moves') continue
    figures[event.figure] = Math.max(0, figures[event.figure] + event.by)
  }
  return figures
}

/** The radars at that moment. */
export const radarsAt = ({ events }: RadarsPlan, at: number): Map<number, Radar> => {
  const radars = new Map<number, Radar>()
  for (const { document, is, at: since } of events) {
    if (since > at) break
    const radar = radars.get(document)
    if (is === 'appears') radars.set(document, { number: document, name: `Person ${document}`, active: true })
    else if (is === 'disappears') radars.delete(document)
    else if (radar && is === 'renamed') radar.name = `Person ${document} since ${since}`
    else if (radar && is !== 'moves') radar.active = is === 'reactivated'
  }
  return radars
}

/**
 * The list as the registry sends it (Interface 4.9). Some documents are in it twice, because somebody added them twice and
 * ended one of the two; which comes first varies, and so does the moment of the last look.
 */
export const radarList = (plan: RadarsPlan, at: number): unknown[] =>
  [...radarsAt(plan, at).values()].flatMap(({ number, name, active }) => {
    const item = (link: number, isActive: boolean) => ({
      id: String(link),
      createdAt: '18/11/2026 10:00:00',
      radar: { id: String(link), code: cpf(number), type: 'CPF', name, active: isActive, preProcessedAt: new Date(at) },
    })
    const items = [item(10_000 + number, active), ...(number % 3 === 0 ? [item(20_000 + number, false)] : [])]
    return at % 2 === 0 ? items : items.reverse()
  })

export const wrongList = (radars: unknown[], how: RadarsAway): unknown => {
  if (how === 'null') return null
  if (how === 'empty') return []
  return how === 'half' ? radars.slice(0, radars.length / 2) : [...radars.slice(1), { id: null }]
}
