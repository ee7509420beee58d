/** A batch cannot do what a person asks of it now; the message says why and what can be done. */
export class BatchRefusal extends Error {
  override readonly name = 'BatchRefusal'
}
