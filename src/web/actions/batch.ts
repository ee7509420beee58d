import { BatchRefusal, batchOrRefuse } from '../../batches/batch-or-refuse.ts'
import { cancelBatch, confirmBatch, pauseBatch, resumeBatch, type Steering } from '../../batches/pause-resume-cancel.ts'
import { affordableRetry, isVain, quoteRetry, type RetryWish, retryBatch, retryBy } from '../../batches/retry.ts'
import type { SteeringVerb } from '../../domain/batch.ts'
import { freshSinceOf } from '../../domain/fresh-since.ts'
import type { Kind } from '../../domain/kind.ts'
import type { Site } from '../site/site.ts'
import type { Visit } from '../visit.ts'

/** What an action on a batch needs beside the batch: who acts, when, and the timeouts. */
export const steeringOf = ({ engine, settings }: Site, by: string, kind: Kind): Steering => ({
  by,
  now: engine.clock(),
  deadlineMs: settings.forKind[kind].polling.deadline,
  finished: engine.finished,
})

export const freshSince = ({ engine, settings }: Site, kind: Kind): Date =>
  freshSinceOf(settings.forKind[kind], engine.clock())

/** A batch, its rows that a retry would look up, and the cost; `toPay` is the part that fits under its limit. */
export const quoteRetryOf = async ({ engine, settings }: Site, id: bigint, wish: RetryWish = {}) => {
  const batch = await batchOrRefuse(engine.sql, id)
  const retry = retryBy(settings, batch.kind, engine.clock(), wish)
  const quote = await quoteRetry(engine.sql, id, retry)
  const toPay = affordableRetry(quote, batch, retry)
  return { batch, retry, quote, toPay, isVain: isVain(quote, toPay) }
}

/** Retries rows without an answer, unless all of them would exceed the limit. Returns the quote and the retried rows. */
export const performRetry = async (
  { site, visitor }: Steerer,
  id: bigint,
  { atMost, ...wish }: RetryWish & { atMost?: number } = {},
) => {
  const quoted = await quoteRetryOf(site, id, wish)
  if (quoted.isVain) throw new BatchRefusal(['beyond_limit', id])
  const steering = steeringOf(site, visitor.name, quoted.batch.kind)
  const retried = await retryBatch(site.engine.sql, id, { ...steering, ...quoted.retry, atMost })
  site.engine.wake()
  return { ...quoted, retried }
}

type Steerer = Pick<Visit, 'site' | 'visitor'>

/** Performs one of the five actions on a batch; `atMost` is the cost that the person was shown. */
export const performSteering = async (
  steerer: Steerer,
  verb: SteeringVerb,
  id: bigint,
  atMost?: number,
): Promise<void> => {
  if (verb === 'retry') {
    await performRetry(steerer, id, { atMost })
    return
  }
  const { site, visitor } = steerer
  const { sql, wake } = site.engine
  const { kind } = await batchOrRefuse(sql, id)
  await steer[verb](sql, id, { ...steeringOf(site, visitor.name, kind), atMost })
  wake()
}

const steer = { confirm: confirmBatch, pause: pauseBatch, resume: resumeBatch, cancel: cancelBatch }
