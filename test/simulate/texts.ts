import type { Plan, RadarEvent, RadarsPlan, RegistryPlan } from './plan/plan.ts'

const second = (ms: number): string => `${ms / 1_000} s`

/** What a history is about, before it is described. */
export const describePlan = ({ files, workers, settings, registry, calls, radars }: Plan): string[] => [
  ...files.map(
    ({ kind, documents, at, maxSpend }, i) =>
      `file ${i + 1} asks for ${countOf(documents.length, 'document')} (${kind}) at ${second(at)}` +
      (maxSpend === null ? '' : `, and may buy ${maxSpend}`),
  ),
  `${countOf(workers, 'worker')}; at most ${settings.worker} requests each and ${settings.fleet} over all`,
  `a request may take ${second(settings.requestTimeoutMs)}, the list may lag ${second(settings.listLagMs)}` +
    (settings.perDay === null ? '' : `, ${settings.perDay} units a day`),
  ...traitsOf(registry),
  ...(radars ? radarLines(radars) : []),
  ...calls.map(
    ({ document, nth, fault }) => `paid call ${nth + 1} for document ${document}: ${faultTexts[fault] ?? fault}`,
  ),
]

const radarLines = ({ everyMinutes, refresh, analysisOn, analysisEvery, perBatch, events }: RadarsPlan): string[] => {
  const age = analysisEvery === null ? 'no age' : `an age of ${second(analysisEvery)}`
  const limit = perBatch === null ? '' : `, and buys ${perBatch} at most`
  const line = (event: RadarEvent): string =>
    `radar ${event.document} ${event.is}${event.is === 'moves' ? ` ${event.figure} by ${event.by}` : ''} at ${second(event.at)}`
  return [
    `a sweep every ${everyMinutes} min refreshes ${refresh}, analyses on ${analysisOn} with ${age}${limit}`,
    ...events.map(line),
  ]
}

const countOf = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`

const faultTexts: Partial<Record<string, string>> = {
  lost_before: 'it never reaches the registry, and its connection is closed',
  hang_before: 'it never reaches the registry, and nothing is answered',
  lost_after: 'it is charged, and its reply is lost',
  hang_after: 'it is charged, and nothing is answered',
  late: 'it is charged at the last moment before its deadline',
  refused_charged: 'it is charged, and refused with success false',
  payment_required_charged: 'it is charged, and refused with 402',
  forbidden_charged: 'it is charged, and refused with 403',
  invalid_charged: 'it is charged, and refused as an invalid document',
  mixed_up: 'it is charged, and the reply names another document',
  error_charged: 'it is charged, and answered with 500',
  html_charged: 'it is charged, and answered with HTML',
}

const traitsOf = (registry: RegistryPlan): string[] => {
  const { lapses, page, keep, total, figures, order, dates, lagMs, empty, per, colleagues } = registry
  return [
    page !== null &&
      `the list shows ${page} (${registry.pageOf}, ${keep}); its total counts ${total === 'all' ? 'all' : 'the page'}`,
    figures !== 'roomy' && `the limit of the list is ${figures}`,
    order !== 'newest' && `the list is ordered ${order}`,
    per !== 'document' && 'the list has an item per analysis',
    lapses && 'a purchase whose answer was lost is missing from the first list that must show it',
    lagMs > 0 && `a purchase is listed ${second(lagMs)} late`,
    empty !== 'array' && `an empty list is "${empty}"`,
    dates.shape !== 'zoned' && `dates are written as "${dates.shape}"`,
    dates.clockMs !== 0 && `the registry's clock is ${second(dates.clockMs)} ahead`,
    dates.apartMs !== 0 && `three clocks date purchases, ${second(dates.apartMs)} apart`,
    ...colleagues.map(({ document, at }) => `a colleague buys document ${document} at ${second(at)}`),
  ].filter((line) => line !== false)
}

/** Only what the documents of a short history have to do with. */
export const mainLines = (lines: readonly string[]): string[] =>
  lines.filter((line) => !line.includes('/v2/analytics/{'))
