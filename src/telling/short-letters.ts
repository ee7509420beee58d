import type { HoldCause } from '../domain/call-failure.ts'
import type { Kind } from '../domain/kind.ts'
import type { Said } from '../domain/said/said.ts'
import type { Letter, Pen, Told } from './letter.ts'

type BatchBody = {
  batch: number
  name: string
  kind: Kind
  rows: number
  rejected: number
  unanswered: number
  parked: number
  toBePaid: number
}

/** A file is done, or waits for somebody's word; rows in doubt are for a person. */
export const batchLetter = ({ about, severity, body }: Told, { words, terms, format }: Pen): Letter => {
  const { batch, name, kind, rows, rejected, unanswered, parked, toBePaid } = body as BatchBody
  const file = `${format.text(name)} (${batch})`
  const isDone = about === 'batch.done'
  const count = (value: number) => format.count(value)
  const title = isDone ? words.batchDone(file) : words.batchWaits(file)
  const notes = isDone
    ? [
        ...(parked > 0 ? [words.batchParked(count(parked), `vigia parked`)] : []),
        ...(unanswered > 0 ? [words.batchUnanswered(count(unanswered))] : []),
      ]
    : [words.batchConfirm(`vigia confirm ${batch}`)]
  const lead = isDone
    ? words.batchRows(terms.kinds[kind], count(rows), count(rejected))
    : words.batchCost(terms.kinds[kind], count(rows), count(toBePaid))
  return { severity, subject: title, title, lead, items: [], notes }
}

type LaneBody = {
  lanes: string[]
  organization: number
  kind: Kind
  cause: HoldCause
  said: Said | null
  reason: string
  heldAt: string
}

/** Look-ups stand still and why, or go on again. */
export const laneLetter = ({ about, severity, body }: Told, { words, terms, format }: Pen): Letter => {
  const { lanes, organization, kind, cause, said, reason, heldAt } = body as LaneBody
  const name = lanes.length > 1 ? words.allLanes(format.count(lanes.length)) : `${terms.kinds[kind]} (${organization})`
  const title = about === 'lane held' ? words.laneHeld(name) : words.laneFree(name)
  const why = format.heldFor(said ?? reason)
  return {
    severity,
    subject: title,
    title,
    lead: `${terms.causes[cause]}.`,
    items: [],
    notes: [
      ...(why ? [why] : []),
      words.since(format.moment(new Date(heldAt))),
      ...(about === 'lane held' ? [words.see('vigia lanes')] : []),
    ],
  }
}

/** Events that are a sentence or two. */
export const plainLetter = ({ about, severity, body }: Told, { words, terms, format }: Pen): Letter => {
  const said = (key: string) => (body[key] === undefined || body[key] === null ? '' : format.text(String(body[key])))
  const reason = body.said ? format.told(body.said as Said) : said('reason')
  const slot = said('slot').replace('T', ' ')
  const plain: Record<string, { title: string; lead: string; notes: string[] }> = {
    'sweep.missed': { title: words.sweepMissed(slot), lead: words.sweepMadeUp, notes: [words.see('vigia sweeps')] },
    'sweep.failed': {
      title: words.sweepFailed(terms.sweeps[said('name') as keyof typeof terms.sweeps] ?? said('name'), slot),
      lead: reason,
      notes: [words.see('vigia sweeps')],
    },
    'radars.suspicious': {
      title: words.suspicious(said('organizationId')),
      lead: reason,
      notes: [words.accept(`vigia radars accept ${said('organizationId')}`)],
    },
    test: { title: words.test, lead: words.testLead(said('by')), notes: [] },
  }
  const letter = plain[about] ?? { title: about, lead: reason, notes: [] }
  return { severity, subject: letter.title, items: [], ...letter }
}
