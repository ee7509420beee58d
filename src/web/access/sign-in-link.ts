import { timingSafeEqual } from 'node:crypto'
import { createSecret, hashSecret } from './tokens.ts'

/** The link that a worker on this machine prints: whoever reads its terminal may sign in with it, once. */
export class SignInLink {
  readonly secret = createSecret()
  #used = false

  addressAt(origin: string): string {
    return `${origin}/sign-in?link=${this.secret}`
  }

  /** True for the first one who brings the secret. */
  use(secret: string): boolean {
    if (this.#used || !timingSafeEqual(digest(secret), digest(this.secret))) return false
    this.#used = true
    return true
  }
}

const digest = (secret: string): Buffer => Buffer.from(hashSecret(secret), 'hex')
