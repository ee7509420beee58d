import { CallFailure } from '../../domain/call-failure.ts'

/** The caller may not use this organization (ErrorForbiddenException, Interface 7). */
export class AccessDenied extends CallFailure {
  override readonly name = 'AccessDenied'
  readonly retryable = true
  readonly outcome = 'refused'
  override readonly holds = 'denied'

  constructor(endpoint: string, status: number, reason: string) {
    super(`${endpoint} answered ${status} ${reason}; check the access to the organization, then resume the lane`)
  }
}
