/** A promise that a history broke. */
export class Violation extends Error {
  override readonly name = 'Violation'
  /** Which promise, by a name that stays the same while a history is made shorter. */
  readonly promise: string

  constructor(promise: string, message: string) {
    super(message)
    this.promise = promise
  }
}
