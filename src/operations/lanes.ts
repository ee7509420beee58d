import { z } from 'zod'
import { holdLaneByHand, resumeLaneByHand } from '../batches/hold-lane.ts'
import { isKind } from '../domain/kind.ts'
import { inEnglish } from '../messages/message.ts'
import { hold, laneHeld, laneId, readHolds } from '../views/lane.ts'
import type { Context } from './context.ts'
import { defineOperation } from './operation.ts'
import { notFound } from './refusal.ts'

const lane = { organization: z.string(), kind: z.string() }

export const laneOperations = {
  list: defineOperation({
    name: 'listLanes',
    summary: 'Held lanes and their causes',
    role: 'analyst',
    route: 'GET /lanes',
    input: z.object({}),
    output: z.object({ held: z.array(hold) }),
    run: async ({ sql }) => ({ held: await readHolds(sql) }),
  }),
  hold: defineOperation({
    name: 'holdLane',
    summary: 'Holds a lane: nothing more is sent in it',
    role: 'ops',
    route: 'POST /lanes/{organization}/{kind}/hold',
    input: z.strictObject({
      ...lane,
      reason: z.string().trim().min(1).max(200).optional().describe('why it is held, for others to read'),
    }),
    output: laneHeld,
    async run(context, { reason, ...input }) {
      const { sql, by, clock } = context
      const lane = servedLane(context, input)
      await holdLaneByHand(sql, lane, { by, now: clock(), reason })
      return { lane: laneId(lane), held: true, reason: reason ?? inEnglish(['held_by_hand']) }
    },
  }),
  resume: defineOperation({
    name: 'resumeLane',
    summary: 'Resumes a lane, whatever the cause of its hold',
    role: 'ops',
    route: 'POST /lanes/{organization}/{kind}/resume',
    input: z.object(lane),
    output: laneHeld,
    async run(context, input) {
      const lane = servedLane(context, input)
      await resumeLaneByHand(context.sql, lane, { by: context.by, now: context.clock() })
      return { lane: laneId(lane), held: false }
    },
  }),
}

/** Any lane of an organization that we serve. */
const servedLane = ({ accounts }: Context, { organization, kind }: z.output<z.ZodObject<typeof lane>>) => {
  const account = accounts.find(({ organizationId }) => String(organizationId) === organization)
  if (account && isKind(kind)) return { organizationId: account.organizationId, kind }
  throw notFound('such lane: expected an organization of the settings and a kind, such as 7001/analysis')
}
