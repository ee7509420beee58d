/** The embedded PostgreSQL could not be used. The cure is the same for every cause, so the message ends with it. */
export class EmbeddedFailure extends Error {
  override readonly name = 'EmbeddedFailure'

  constructor(message: string, options?: ErrorOptions) {
    super(`${message}\nTo use a PostgreSQL server of your own instead, set DATABASE_URL.`, options)
  }
}
