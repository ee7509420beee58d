import type { CallFailure } from '../../../src/domain/call-failure.ts'
import { listenersOf } from '../../../src/registry/bound.ts'
import type { Inquiry } from '../../../src/registry/call.ts'
import { NotSent, Unanswered } from '../../../src/registry/errors.ts'
import type { RawAnswer } from '../../../src/registry/read-reply.ts'
import type { Answer } from '../registry/model-registry.ts'
import { network } from './network.ts'

type Limits = { timeout: number; maxBodyBytes: number }

/** In place of sockets: each request takes its time to the registry of the history and back, or is lost on the way. */
export const createTransport = () => ({
  send(
    question: Inquiry<unknown>,
    bearer: string,
    { timeout }: Limits,
    signal?: AbortSignal,
  ): Promise<RawAnswer | CallFailure> {
    const endpoint = `${question.method} ${question.path}`
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return resolve(new NotSent(endpoint, ['given_up']))
      let isOver = false
      const end = (settle: () => void): void => {
        if (isOver) return
        isOver = true
        clearTimeout(timer)
        waiting?.delete(giveUp)
        request.close()
        settle()
      }
      const settle = (outcome: RawAnswer | CallFailure): void => end(() => resolve(outcome))
      /** What takes the items of a list may fail. */
      const fail = (failure: unknown): void => end(() => reject(failure))
      const lose = (why: 'given_up' | 'closed' | 'timeout'): void =>
        settle(new Unanswered(['call_no_answer', endpoint, why === 'timeout' ? ['ms_passed', timeout] : ['given_up']]))
      const timer = setTimeout(() => lose('timeout'), timeout)
      const giveUp = (): void => lose('given_up')
      const waiting = signal && listenersOf(signal)
      waiting?.add(giveUp)
      const request = network().send(question, bearer, timeout, (reception) => {
        if (reception.is === 'closed') return lose('closed')
        if (reception.is === 'answered') void take(question, reception.answer).then(settle, fail)
      })
    })
  },
  async close(): Promise<void> {},
})

const take = async (
  question: Inquiry<unknown>,
  { status, body, items, raw, retryAfter }: Answer,
): Promise<RawAnswer> => {
  if (items && question.items) await question.items.open()(items)
  return { status, text: raw ?? JSON.stringify(body), retryAfterMs: retryAfter }
}
