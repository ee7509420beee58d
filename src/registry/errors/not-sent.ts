import { CallFailure } from '../../domain/call-failure.ts'

/** The request never left this process: no connection, or given up while it was still waiting for its turn. */
export class NotSent extends CallFailure {
  override readonly name = 'NotSent'
  readonly retryable = true
  readonly outcome = 'not_sent'
  override readonly keptBack: boolean

  constructor(endpoint: string, why: string, { keptBack = false } = {}) {
    super(`${endpoint} was not sent: ${why}`)
    this.keptBack = keptBack
  }
}
