import { readFileSync } from 'node:fs'

/** A worker that may be asked: where its page is, is known once it is ready. */
export type Asked = { pid: number; log: string; page: string | null }

export type Health = {
  /** Questions, one for each worker and second; and those that were left unanswered. */
  readonly asked: number
  readonly unanswered: number
  /** For whoever reads why. */
  readonly silences: string[]
  stop(): void
}

/** A busy machine may take its time; a worker that stands still takes all of it. */
const timeoutMs = 5_000

/**
 * Asks every live worker once a second for its sign of life and, as an operator, for its page.
 *
 * Whatever it answers is an answer, trouble too. A worker that was ended meanwhile, or that the scenario itself has
 * stopped, owes none.
 */
export const watchHealth = (alive: readonly Asked[], token: string): Health => {
  const stoppedAt = new Map<Asked, number>()
  const silences: string[] = []
  let asked = 0
  let unanswered = 0

  const ask = async (worker: Asked, page: string): Promise<void> => {
    const askedAt = performance.now()
    try {
      await answerOf(`${page}/healthz`, token)
      await answerOf(`${page}/batches`, token)
    } catch (silence) {
      const wasStopped = (stoppedAt.get(worker) ?? 0) >= askedAt - 1_000
      if (wasStopped || !alive.includes(worker)) return
      unanswered++
      silences.push(`${worker.log}: ${(silence as Error).message}`)
    }
  }

  const timer = setInterval(() => {
    for (const worker of alive) {
      if (!worker.page) continue
      if (isStopped(worker.pid)) stoppedAt.set(worker, performance.now())
      else {
        asked++
        void ask(worker, worker.page)
      }
    }
  }, 1_000)

  return {
    get asked() {
      return asked
    },
    get unanswered() {
      return unanswered
    },
    silences,
    stop: () => clearInterval(timer),
  }
}

/** Whoever is sent away to sign in has not seen the page. */
const answerOf = async (url: string, token: string): Promise<void> => {
  const signal = AbortSignal.timeout(timeoutMs)
  const reply = await fetch(url, { signal, redirect: 'manual', headers: { authorization: `Bearer ${token}` } })
  await reply.arrayBuffer()
  if (reply.status >= 300 && reply.status < 500) throw new Error(`${url} answered ${reply.status}`)
}

const isStopped = (pid: number): boolean => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).startsWith('T')
  } catch {
    return false
  }
}
