import { z } from 'zod'
import { BatchRefusal } from '../batches/batch-or-refuse.ts'
import { isKind, type Kind } from '../domain/kind.ts'
import { inEnglish } from '../messages/message.ts'
import type { Database } from '../store/connect.ts'
import { holdLane, resumeLane } from '../store/fleet/lanes.ts'
import { recordAudit } from '../store/people/audit.ts'
import { hold, laneHeld, laneId, readHolds } from '../views/incident.ts'
import { type Context, defineOperation, notFound } from './operation.ts'

const lane = { organization: z.string(), kind: z.string() }

export const laneOperations = {
  list: defineOperation('listLanes', 'analyst', 'GET /lanes', {
    summary: 'Held lanes and their causes',
    output: z.object({ held: z.array(hold) }),
    run: async ({ sql }) => ({ held: await readHolds(sql) }),
  }),
  hold: defineOperation('holdLane', 'ops', 'POST /lanes/{organization}/{kind}/hold', {
    summary: 'Holds a lane: nothing more is sent in it',
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
  resume: defineOperation('resumeLane', 'ops', 'POST /lanes/{organization}/{kind}/resume', {
    summary: 'Resumes a lane, whatever the cause of its hold',
    input: z.object(lane),
    output: laneHeld,
    async run(context, input) {
      const lane = servedLane(context, input)
      await context.sql.begin(async (tx) => {
        if (!(await resumeLane(tx, lane))) throw new BatchRefusal(['lane_free', laneId(lane)])
        await recordAudit(tx, context.by, 'resume lane', laneId(lane))
      })
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

type LaneName = { organizationId: number; kind: Kind }
type ByOperator = { by: string; now: Date; reason?: string }

/** Holds a lane until an operator resumes it. A reason that the operator wrote is stored as it is. */
export const holdLaneByHand = (sql: Database, lane: LaneName, { by, now, reason }: ByOperator) =>
  sql.begin(async (tx) => {
    await holdLane(
      tx,
      lane,
      { cause: 'operator', reason: reason ? ['text', reason] : ['held_by_hand'], trialAt: null },
      now,
    )
    await recordAudit(tx, by, 'hold lane', laneId(lane), { reason: reason ?? null })
  })
