/** What an action comes to, or null where it was stopped before its end. */
export async function unlessStopped<T>(signal: AbortSignal, action: () => Promise<T>): Promise<T | null> {
  if (signal.aborted) return null
  return action().catch((error) => {
    if (signal.aborted) return null
    throw error
  })
}
