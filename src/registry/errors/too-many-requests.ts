import { CallFailure } from '../../domain/call-failure.ts'

/** The registry asks to slow down; `retryAfterMs` is its own wish, where it gave one. */
export class TooManyRequests extends CallFailure {
  override readonly name = 'TooManyRequests'
  readonly retryable = true
  readonly outcome = 'refused'
  override readonly retryAfterMs: number | undefined

  constructor(endpoint: string, retryAfterMs?: number) {
    super(`${endpoint} answered 429 too many requests`)
    this.retryAfterMs = retryAfterMs
  }
}
