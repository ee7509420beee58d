/** The home cannot be where `VIGIA_HOME` says; that is the person's to mend, like any wrong setting. */
export class HomeProblem extends Error {
  override readonly name = 'HomeProblem'
  readonly exitCode = 2

  constructor(home: string, cause: unknown) {
    const why = cause instanceof Error ? cause.message : String(cause)
    super(`VIGIA_HOME cannot be ${home}: ${why}. Set it to a folder that this user may write.`, { cause })
  }
}
