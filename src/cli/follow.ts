import { setTimeout as pause } from 'node:timers/promises'
import { type BatchStatus, readStatus } from '../batches/status.ts'
import type { Sql } from '../store/connect.ts'
import type { Progress } from './progress.ts'

export type Following = {
  sql: Sql
  progress: Progress
  signal: AbortSignal
  /** Says how a batch has ended for whoever follows it; null while it goes on. */
  ended(status: BatchStatus): Promise<string | null>
}

export type Followed = { status: BatchStatus; ending: string }

const everyMs = 500

/** Looks at batches twice a second until each has ended, or until the caller is told to stop. */
export async function follow(ids: readonly bigint[], following: Following): Promise<Followed[]> {
  const { sql, progress, signal, ended } = following
  const look = (now: Date) => Promise.all(ids.map((id) => readStatus(sql, id, now)))
  try {
    for (;;) {
      const now = new Date()
      const statuses = await look(now)
      progress.show(statuses, now)
      const endings = await Promise.all(statuses.map(ended))
      if (signal.aborted || endings.every((ending) => ending !== null)) {
        // Looked at once more: a row may have ended between the look and the verdict.
        const last = await look(new Date())
        return last.map((status, i) => ({ status, ending: endings[i] ?? 'interrupted' }))
      }
      await pause(everyMs, undefined, { signal }).catch(() => {})
    }
  } finally {
    progress.end()
  }
}
