import { type Retry, retryableStates, retryBatch } from '../../batches/retry.ts'
import {
  batchOrRefuse,
  cancelBatch,
  confirmBatch,
  pauseBatch,
  resumeBatch,
  type Steering,
} from '../../batches/steer.ts'
import type { Kind } from '../../domain/kind.ts'
import type { Site } from '../site.ts'
import type { Visit } from '../visit.ts'

export type SteeringVerb = 'confirm' | 'pause' | 'resume' | 'cancel' | 'retry'

/** What a steering needs beside the batch: who speaks, when, and with which patience. */
export const steeringOf = ({ engine, settings }: Site, by: string, kind: Kind): Steering => ({
  by,
  now: engine.clock(),
  deadlineMs: settings.forKind[kind].polling.deadline,
  finished: engine.finished,
})

export const freshSince = ({ engine, settings }: Site, kind: Kind): Date =>
  new Date(engine.clock().getTime() - settings.forKind[kind].freshness)

/** What a retry asks again: all that got no answer, by the settings of its kind. */
export const retryOf = (site: Site, kind: Kind): Pick<Retry, 'states' | 'freshSince' | 'adopts'> => ({
  states: retryableStates,
  freshSince: freshSince(site, kind),
  adopts: site.settings.forKind[kind].purchases.adopt,
})

/** Does one of the five things that a person may say to a batch. */
export const performSteering = async (
  { site, visitor }: Pick<Visit, 'site' | 'visitor'>,
  verb: SteeringVerb,
  id: bigint,
): Promise<void> => {
  const { sql, wake } = site.engine
  const { kind } = await batchOrRefuse(sql, id)
  const steering = steeringOf(site, visitor.name, kind)
  if (verb === 'retry') {
    await retryBatch(sql, id, { ...steering, ...retryOf(site, kind) })
  } else {
    await steer[verb](sql, id, steering)
  }
  wake()
}

const steer = { confirm: confirmBatch, pause: pauseBatch, resume: resumeBatch, cancel: cancelBatch }
