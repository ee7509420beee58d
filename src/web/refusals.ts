/** A request that gets no page: the status says to machines, and the page's words to people, why. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly status: 400 | 401 | 403 | 404 | 409 | 413 | 422
  readonly code: RefusalCode

  constructor(status: Refusal['status'], code: RefusalCode, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

type RefusalCode =
  | 'not_signed_in'
  | 'not_allowed'
  | 'not_found'
  | 'stale_form'
  | 'wrong_host'
  | 'wrong_request'
  | 'too_large'
  | 'wrong_token'
  | 'used_link'

export const notFound = (what: string): Refusal => new Refusal(404, 'not_found', `There is no ${what}`)
