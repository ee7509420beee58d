import { styleText } from 'node:util'
import { retryableStates } from '../../batches/retry.ts'
import type { HoldCause } from '../../domain/call-failure.ts'
import { holdEnds, needsPerson } from '../../domain/hold-ends.ts'
import { formatPurpose } from '../../domain/purpose.ts'
import { terms } from '../../messages/terms.ts'
import type { BatchStatus, FullStatus } from '../../views/batch-status.ts'
import type { HoldShown, Incident } from '../../views/incident.ts'
import type { CommandContext } from '../command.ts'
import { counted, duration, localMoment, number, outcomes, priced, renderFacts, rowsAndDocuments } from './texts.ts'

/** One batch for people: its progress, its cost, and what holds it. */
export const renderStatus = (status: FullStatus, timezone: string): string => {
  const { batch, name, kind, organization, shown, rows, total, done, purpose, spend, inDoubt, times } = status
  const at = (time: string | null) => localMoment(time, timezone)
  const stopping = stoppingHold(status)
  const progresses = status.open > 0 && shown === 'running' && status.workers > 0
  return renderFacts({
    Batch: `${batch}  ${name} (${kind}, organization ${organization})`,
    State: shown,
    Purpose: purpose && formatPurpose(terms.en.legalBases, purpose),
    Problem: status.problem,
    'Not read': status.unreadSheets.map((name) => `sheet "${name}"`).join(', ') || null,
    'Not asked': status.unaskedColumns.map((name) => `column ${JSON.stringify(name)}`).join(', ') || null,
    Rows: total === rows ? null : rowsAndDocuments(rows, total),
    [total === rows ? 'Rows' : 'Documents']:
      `${number(done - (status.states.cancelled ?? 0))} of ${number(total)} done`,
    Outcomes: outcomes(status.states),
    Charged: chargedOf(status),
    'Bought elsewhere': spend.elsewhere > 0 ? `${number(spend.elsewhere)}, free` : null,
    'Unknown outcome': inDoubt > 0 ? number(inDoubt) : null,
    Rate:
      status.ratePerSecond === null
        ? null
        : `${number(Math.round(status.ratePerSecond * 10) / 10)} ${total === rows ? 'rows' : 'documents'}/s`,
    'Time left': progresses && status.etaSeconds !== null ? duration(status.etaSeconds) : null,
    Held: stopping && holdLine(stopping, timezone),
    Submitted: at(times.submitted),
    Finished: at(times.finished),
    Exported: at(times.exported),
    Next: nextStep(status),
  })
}

/** A batch shown as running is not stopped by a held lane: it only fetches what was paid for. */
const stoppingHold = ({ shown, hold }: BatchStatus): HoldShown | null => (shown === 'running' ? null : hold)

export const holdLine = ({ lane, cause, detail, nextTry }: HoldShown, timezone: string): string => {
  const reason = detail ? `: ${detail}` : ''
  return `lane ${lane} (${cause}${reason})${nextTry ? `, tried again at ${localMoment(nextTry, timezone)}` : ''}`
}

const chargedOf = ({ spend, price }: FullStatus): string => {
  const { limit, expected } = spend
  const of = expected > 0 ? ` of ${number(expected)} expected` : ''
  return `${priced(spend.charged, price)}${of}${stillOpen(spend)}${limit === null ? '' : `, at most ${number(limit)}`}`
}

/** Open calls may still be charged: the reader of the figure must not be surprised by it later. */
export const stillOpen = ({ open }: BatchStatus['spend']): string => (open > 0 ? `, ${number(open)} still open` : '')

/** What a person can do now; null if there is nothing to do. */
export const nextStep = (status: BatchStatus): string | null => {
  const { batch, state, workers, times, states, spend } = status
  const hold = stoppingHold(status)
  if (state === 'unconfirmed') return `\`vigia confirm ${batch}\` approves it, \`vigia cancel ${batch}\` cancels it`
  if (state === 'paused') return `\`vigia resume ${batch}\``
  if (hold && holdEnds[hold.cause].mustAct) return cureOfHold(hold)
  if (!times.finished && state !== 'rejected' && workers === 0) return 'no worker is running: `vigia worker` starts one'
  if (states.unknown_outcome) {
    return `${counted(states.unknown_outcome, 'row')} parked: \`vigia resolve ${batch} --line N\``
  }
  if (!times.finished || !retryableStates.some((each) => states[each])) return null
  const limit = states.over_budget ? ` --max-spend N` : ''
  const above = limit && spend.limit !== null ? `, with N above ${number(spend.limit)},` : ''
  return `\`vigia retry ${batch}${limit}\`${above} retries the rows that got no answer`
}

/** A new token frees every lane by itself within minutes; a lane that is tried every few hours is resumed by hand. */
const cureOfHold = ({ cause, lane }: HoldShown): string | null => {
  const cure = cureOf(cause, [lane])
  const triedInHours = typeof holdEnds[cause].tried === 'object' && needsPerson(cause)
  return triedInHours ? `${cure}, then ${resumeLanes([lane])}` : cure
}

type TextContext = { timezone: string; now: Date; stdout: CommandContext['stdout'] }

/** The incidents, for the first lines of a screen: what is wrong, since when, what it stops, and what to do. */
export const renderIncidents = (incidents: readonly Incident[], context: TextContext): string[] =>
  incidents.flatMap((each) => {
    const { what, batches, stops } = each
    // A held lane that no batch waits for is listed by `vigia lanes` alone.
    if (what === 'lanes_held' && batches.length === 0) return []
    const title = what === 'lanes_held' ? heldTitle(each, context) : titles[what]
    const but = stops === 'asking' ? '; what was paid for is still fetched' : ''
    const lines = [`${stopped(batches)}${but}.`, todoLine(each, context.timezone)]
    return [styleText('red', title, { stream: context.stdout }), ...lines.map((line) => `  ${line}`), '']
  })

const titles = {
  books_awaited: 'WAITING for the registry’s purchase list: the database may have lost recent purchases',
  no_worker: 'NO WORKER is running',
}

const heldTitle = ({ cause, detail, lanes, since }: Incident, { timezone, now }: TextContext): string => {
  const ago = duration(Math.max(0, (now.getTime() - Date.parse(since!)) / 1_000))
  const named = lanes.length > 3 ? `${lanes.length} lanes` : lanes.map(({ lane }) => lane).join(', ')
  const why = terms.en.causes[cause!].replace(/^./, (letter) => letter.toLowerCase())
  return `HELD since ${localMoment(since, timezone)} (${ago}): ${named}, ${why}${detail ? ` (${detail})` : ''}`
}

/** `Stops 2 batches with 1,990 open rows: 12 clientes, 13 outros`. */
const stopped = (batches: Incident['batches']): string => {
  const rows = batches.reduce((sum, { open }) => sum + (open ?? 0), 0)
  const named = batches.slice(0, maxNamed).map(({ batch, name }) => `${batch} ${name}`)
  const more = batches.length > maxNamed ? [`${number(batches.length - maxNamed)} more`] : []
  const withRows = rows > 0 ? ` with ${counted(rows, 'open row')}` : ''
  return `Stops ${counted(batches.length, 'batch', 'batches')}${withRows}: ${[...named, ...more].join(', ')}`
}

const maxNamed = 5

const todoLine = ({ todo, cause, nextTry, lanes }: Incident, timezone: string): string => {
  const names = lanes.map(({ lane }) => lane)
  const cure = cause && cureOf(cause, names)
  const tried = nextTry ? `tried again at ${localMoment(nextTry, timezone)}` : 'tried again soon'
  switch (todo) {
    case 'nothing':
      return `Nothing to do: it resumes by itself, ${tried}.`
    case 'renew_token':
      return `To do: ${cure}. It resumes by itself if the old token is accepted again, ${tried}.`
    case 'extend_plan':
    case 'restore_access':
    case 'settle_refusal':
      return `To do: ${cure}; then it resumes by itself, ${tried}, or at once with ${resumeLanes(names)}.`
    case 'raise_budget':
      return `Nothing to do: it resumes by itself with the next day's budget, ${tried}. Sooner: raise budget.perDay, restart the workers, then ${resumeLanes(names)}.`
    case 'resume_lane':
      return `To do: ${cure}; it stays held until then.`
    case 'start_worker':
      return 'To do: `vigia worker` starts one.'
  }
}

/** What a person must do before held lanes resume, in the same text for every command; null if nobody has to act. */
export const cureOf = (cause: HoldCause, lanes: readonly string[]): string | null => {
  const { mustAct, todo } = holdEnds[cause]
  if (!mustAct) return null
  return todo === 'resume_lane' ? resumeLanes(lanes) : cures[todo]
}

const cures = {
  renew_token: 'set a new REGISTRY_TOKEN and REGISTRY_REFRESH_TOKEN and restart the workers',
  extend_plan: 'have the plan extended',
  settle_refusal: 'resolve the refusal with the registry',
  restore_access: 'have access restored, or correct REGISTRY_ORGANIZATION_ID',
}

const resumeLanes = (lanes: readonly string[]): string =>
  lanes.map((lane) => `\`vigia lane resume ${lane}\``).join(', ')
