import { CallFailure } from '../../domain/call-failure.ts'

/**
 * The request was sent and no usable answer came back: closed, too slow, 5xx, HTML, empty, oversized or misshapen.
 *
 * The registry may have done the work all the same, so a spending call must be reconciled before it is sent again.
 */
export class Unanswered extends CallFailure {
  override readonly name = 'Unanswered'
  readonly retryable = true
  readonly outcome = 'unknown'
  override readonly retryAfterMs: number | undefined

  constructor(endpoint: string, what: string, retryAfterMs?: number) {
    super(`${endpoint} ${what}`)
    this.retryAfterMs = retryAfterMs
  }
}
