import type { Steering } from '../../src/batches/pause-resume-cancel.ts'
import type { Resolving } from '../../src/batches/resolve.ts'
import { type Retry, retryableStates } from '../../src/batches/retry.ts'
import { localDay } from '../../src/domain/calendar.ts'
import { spentOn } from '../../src/store/purchases/spending.ts'
import type { Setup } from '../support/setup.ts'

/** What a person's actions on a batch need beside the database of a running worker. */
export const steering = ({ running }: Setup): Steering => ({
  by: 'ana',
  now: new Date(),
  deadlineMs: 3_600_000,
  finished: running.engine.finished,
})

export const retrying = (t: Setup, states: Retry['states'] = retryableStates): Retry => ({
  ...steering(t),
  freshSince: new Date(Date.now() - 30 * 86_400_000),
  adopts: true,
  states,
})

export const resolving = (t: Setup): Resolving => ({
  ...steering(t),
  today: (moment) => localDay(moment, t.settings.timezone),
  purchases: async (_, { number }) => (await boughtOf(t, number)).map(({ id, uniqueId }) => ({ id, key: uniqueId })),
})

const boughtOf = async ({ tools, sandbox }: Setup, document: string) =>
  (await tools.registry.activities.list(sandbox.account)).analyses.filter((analysis) => analysis.document === document)

export const boughtId = async (t: Setup, document: string): Promise<string> => (await boughtOf(t, document))[0]!.id

export const spentToday = (t: Setup): Promise<number> => spentOn(t.sql, localDay(new Date(), t.settings.timezone))
