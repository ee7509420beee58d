/** The command could not do its work, for a reason that a person understands without a stack trace. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure'
  readonly exitCode = 1
}
