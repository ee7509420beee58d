/** The webhook did not take a message; the address itself is not told, it may carry a secret. */
export class WebhookFailure extends Error {
  override readonly name = 'WebhookFailure'

  constructor(what: string) {
    super(`POST to alerts.webhook ${what}`)
  }
}
