import { CallFailure } from '../../domain/call-failure.ts'

/** The registry's last word about a document that it does not accept (INVALID_DOCUMENT, Interface 7). */
export class InvalidDocument extends CallFailure {
  override readonly name = 'InvalidDocument'
  readonly retryable = false
  readonly outcome = 'refused'
  override readonly finalState = 'invalid_document'

  constructor(endpoint: string, status: number, reason: string) {
    super(`${endpoint} answered ${status} ${reason}`)
  }
}
