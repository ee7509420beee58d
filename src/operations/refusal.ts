import { inEnglish, type Message } from '../messages/message.ts'

/** A refused request. The status is for machines; the page shows people the text of the code. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly status: 400 | 401 | 403 | 404 | 409 | 413 | 422
  readonly code: RefusalCode
  /** The exact reason, if the code alone does not give it. */
  readonly reason: Message | null
  /** On the command line: 2 is a wrong call. */
  readonly exitCode: 1 | 2

  constructor(status: Refusal['status'], code: RefusalCode, what: string | Message) {
    super(typeof what === 'string' ? what : inEnglish(what))
    this.status = status
    this.code = code
    this.exitCode = status === 404 || status === 422 ? 2 : 1
    this.reason = typeof what === 'string' ? null : what
  }
}

export type RefusalCode =
  | 'not_signed_in'
  | 'not_allowed'
  | 'not_bound'
  | 'not_found'
  | 'stale_form'
  | 'wrong_host'
  | 'wrong_request'
  | 'too_large'
  | 'wrong_token'
  | 'used_link'
  | 'no_spreadsheet'

export const notFound = (what: string): Refusal => new Refusal(404, 'not_found', `There is no ${what}`)
