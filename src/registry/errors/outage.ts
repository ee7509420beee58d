import { CallFailure } from '../../domain/call-failure.ts'

/** The registry has failed many times in a row; nothing is sent until the next probe is due. */
export class Outage extends CallFailure {
  override readonly name = 'Outage'
  readonly retryable = true
  readonly outcome = 'not_sent'
  override readonly holds = 'outage'
  override readonly retryAfterMs: number

  constructor(endpoint: string, retryAfterMs: number) {
    const seconds = Math.ceil(retryAfterMs / 1000)
    super(`${endpoint} was not sent: the registry is not answering, the next attempt is due in ${seconds} s`)
    this.retryAfterMs = retryAfterMs
  }
}
