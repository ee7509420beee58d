/**
 * Everything that is called when a signal fires; add to it, and delete what no longer waits.
 *
 * The signals of a worker live as long as it does, and each call waits for one several times. A listener of
 * `AbortSignal` costs some microseconds each time, so each signal has only one.
 */
export const listenersOf = (signal: AbortSignal): Set<() => void> => {
  const known = listeners.get(signal)
  if (known) return known
  const all = new Set<() => void>()
  signal.addEventListener('abort', () => {
    for (const each of [...all]) each()
    all.clear()
  })
  listeners.set(signal, all)
  return all
}

const listeners = new WeakMap<AbortSignal, Set<() => void>>()
