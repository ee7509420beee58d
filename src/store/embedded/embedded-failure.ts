/** The embedded PostgreSQL could not be used; every cause has the same way around it, so the message ends with it. */
export class EmbeddedFailure extends Error {
  override readonly name = 'EmbeddedFailure'

  constructor(message: string, options?: ErrorOptions) {
    super(`${message}\nTo use a PostgreSQL server of your own instead, set DATABASE_URL.`, options)
  }
}
