/** The moment since which an answer counts as fresh, for the kind's setting. An older one is asked for again. */
export const freshSinceOf = ({ freshness }: { freshness: number }, now: Date): Date =>
  new Date(now.getTime() - freshness)
