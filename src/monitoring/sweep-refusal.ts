/** A sweep cannot do what a person asks of it now; the message says why. */
export class SweepRefusal extends Error {
  override readonly name = 'SweepRefusal'
  readonly exitCode = 1
}
