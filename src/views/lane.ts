import { z } from 'zod'
import { needsPerson } from '../domain/hold-ends.ts'
import type { Kind } from '../domain/kind.ts'
import type { Sql } from '../store/connect.ts'
import { type Hold, heldLanes } from '../store/fleet/lanes.ts'
import { cause, iso, masked, moment, shownMessage } from './fields.ts'

/** A hold of a lane, in the list of lanes and on a batch that it stops. */
export const hold = z.object({
  lane: z.string(),
  cause,
  detail: masked.nullable(),
  since: moment,
  nextTry: moment.nullable(),
  tries: z.int(),
  needsPerson: z.boolean().describe('it does not end by itself within minutes'),
})
export type HoldShown = z.output<typeof hold>

export const toHoldView = (held: Hold): HoldShown => ({
  lane: laneId(held),
  cause: held.cause,
  detail: shownMessage(held.message),
  since: iso(held.heldAt),
  nextTry: iso(held.trialAt),
  tries: held.trials,
  needsPerson: needsPerson(held.cause),
})

export const readHolds = async (sql: Sql): Promise<HoldShown[]> => (await heldLanes(sql)).map(toHoldView)

/** The response to a person who held or resumed a lane. */
export const laneHeld = z.object({ lane: z.string(), held: z.boolean(), reason: z.string().optional() })

/** `7001/analysis` */
export const laneId = ({ organizationId, kind }: { organizationId: number | bigint; kind: Kind }): string =>
  `${organizationId}/${kind}`

/** The parts of `7001/analysis`, as a person wrote them. */
export const splitLane = (text: string) => {
  const [organization, kind] = text.split('/')
  return { organization, kind }
}
