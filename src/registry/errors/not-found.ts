import { CallFailure } from '../../domain/call-failure.ts'

/** The registry's last word about something that it does not have: a CNH (404), or a process number. (Interface 7) */
export class NotFound extends CallFailure {
  override readonly name = 'NotFound'
  readonly retryable = false
  readonly outcome = 'refused'
  override readonly finalState = 'not_found'

  constructor(endpoint: string, status: number, reason: string) {
    super(`${endpoint} answered ${status} ${reason}`)
  }
}
