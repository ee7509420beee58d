import { CallFailure } from '../../domain/call-failure.ts'

/** The access token is not accepted and could not be renewed; only a new token helps. */
export class TokenDead extends CallFailure {
  override readonly name = 'TokenDead'
  readonly retryable = true
  readonly outcome = 'refused'
  override readonly holds = 'token'

  constructor(endpoint: string, what: string) {
    super(`${endpoint} ${what}; give Vigia a new REGISTRY_TOKEN and REGISTRY_REFRESH_TOKEN`)
  }
}
