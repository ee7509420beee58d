import { readFileSync } from 'node:fs'

/** A worker that can be probed; the address of its page is known once it is ready. */
export type Asked = { pid: number; log: string; page: string | null }

export type Health = {
  /** Probes, one for each worker and second; and those that got no answer. */
  readonly asked: number
  readonly unanswered: number
  /** Details of the failures. */
  readonly silences: string[]
  stop(): void
}

/** A busy machine may be slow; a blocked worker never answers. */
const timeoutMs = 5_000

/**
 * Probes every live worker once a second: its health check and, as an operator, its page.
 *
 * Any answer counts, errors too. A worker that was ended meanwhile, or that the scenario itself has stopped, need not
 * answer.
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

/** A redirect to the sign-in is not the page. */
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
