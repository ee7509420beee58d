/** Since when an answer counts as fresh, by the terms of its kind; an older one is asked for again. */
export const freshSinceOf = ({ freshness }: { freshness: number }, now: Date): Date =>
  new Date(now.getTime() - freshness)
