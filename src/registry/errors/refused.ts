import { CallFailure } from '../../domain/call-failure.ts'

/** The registry answered and did nothing: `success: false`, or a 4xx with a readable body. */
export class Refused extends CallFailure {
  override readonly name = 'Refused'
  readonly retryable = true
  readonly outcome = 'refused'
  /** The registry's own words, without documents. */
  readonly reason: string

  constructor(endpoint: string, status: number, reason: string) {
    super(`${endpoint} answered ${status} ${reason}`)
    this.reason = reason
  }
}
