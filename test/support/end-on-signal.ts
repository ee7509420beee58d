/** When a run is stopped, its workers, registries and databases are stopped with it, the newest first. */
export const endOnSignal = (standing: Set<AsyncDisposable>): void => {
  const end = async () => {
    for (const each of [...standing].reverse()) await Promise.resolve(each[Symbol.asyncDispose]()).catch(() => {})
    process.exit(130)
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, end)
}
