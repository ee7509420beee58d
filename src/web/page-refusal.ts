/** The page cannot be served as the settings want it; that is the person's to mend, like any wrong setting. */
export class PageRefusal extends Error {
  override readonly name = 'PageRefusal'
  readonly exitCode = 2
}
