import { CallFailure } from '../domain/call-failure.ts'
import type { Kind } from '../domain/kind.ts'
import type { Message } from '../domain/messages/message.ts'
import { type Admission, createAdmission } from './admission.ts'
import type { Bound } from './bound.ts'
import { createBreakers, type OutageSettings } from './breaker.ts'
import type { CallOptions } from './call.ts'
import { NotSent, TokenDead, TooManyRequests } from './errors.ts'

/**
 * The one way out to the registry. A call meets five rules, in this order:
 *
 * 1. Its look-up is admitted: twice as many at a time as may be open, so that one is always ready to leave, and soon does.
 * 2. It waits for one of the places of the bound: this process's share of the fleet, halved by a 429.
 * 3. It takes the token that is at hand at that moment; where there is none, it steps back until there is.
 * 4. While its kind is out of service it fails at once; one call at a time tries whether that is over, and so does the
 *    trial of a held lane.
 * 5. Last before it leaves it looks at the clock and at the gate of its lane: what is too late stays, and so does all
 *    that comes after an answer which refuses the lane as a whole. The gate is told of every answer.
 */
export type Turnstile = Admission & {
  /** Null where no token was at hand: nothing left. */
  pass<Reply>(way: Way, leave: () => Send<Reply> | null): Promise<Reply | null>
  readonly bound: Bound
}

type Way = CallOptions & { endpoint: string; kind: Kind | undefined }
type Send<Reply> = () => Promise<Reply | CallFailure>

/** How one request went: its operation as a template such as `GET /v1/scr/indicators/{document}`, never a document. */
export type Observe = (exchange: { operation: string; outcome: string; seconds: number }) => void

type TurnstileOptions = { bound: Bound; outage: OutageSettings; observe: Observe }

export const createTurnstile = ({ bound, outage, observe }: TurnstileOptions): Turnstile => {
  const breakerOf = createBreakers(outage)

  const send = async <Reply>(way: Way, request: Send<Reply>): Promise<Reply | CallFailure> => {
    if (way.isTooLate?.()) throw keptBack(way, ['turn_late'])
    if (way.latch?.isClosed) throw keptBack(way, ['lane_held'])
    const began = performance.now()
    const reply = await request()
    observe({ operation: way.endpoint, outcome: outcomeLabel(reply), seconds: (performance.now() - began) / 1000 })
    // What we gave up ourselves is no sign of an outage.
    if (reply instanceof CallFailure && way.signal?.aborted) throw reply
    if (!passesSoon(reply)) way.latch?.hear(way.endpoint, reply instanceof CallFailure ? reply : null)
    return reply
  }

  return {
    bound,
    ...createAdmission(bound),
    pass<Reply>(way: Way, leave: () => Send<Reply> | null) {
      const inPlace = (): Promise<Reply | null> => {
        const request = leave()
        return request
          ? breakerOf(way.kind ?? way.endpoint).run(way.endpoint, () => send(way, request), isAlone(way))
          : Promise.resolve(null)
      }
      return bound.run(inPlace, way.signal)
    },
  }
}

const isAlone = ({ latch }: Way): boolean => latch !== undefined && (latch.isTrial || latch.failsAlone)

const keptBack = ({ endpoint }: Way, why: Message): NotSent => new NotSent(endpoint, why, { keptBack: true })

/** These say nothing about the lane: a 429 passes with fewer calls, a 401 with a new token. */
const passesSoon = (reply: unknown): boolean => reply instanceof TooManyRequests || reply instanceof TokenDead

/** `ok`, or the name of the failure as metrics write names: `too_many_requests`. */
const outcomeLabel = (outcome: unknown): string =>
  outcome instanceof Error ? outcome.name.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toLowerCase() : 'ok'
