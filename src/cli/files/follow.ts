import { setTimeout as pause } from 'node:timers/promises'
import { readStatus } from '../../batches/batch-or-refuse.ts'
import { createMeter } from '../../domain/pace.ts'
import type { Sql } from '../../store/connect.ts'
import type { BatchStatus } from '../../views/batch-status.ts'
import type { CommandContext } from '../command.ts'
import { stillOpen } from '../lines/batch.ts'
import { duration, number } from '../lines/texts.ts'

type Following = {
  sql: Sql
  progress: Progress
  signal: AbortSignal
  /** How a batch has ended for the caller; null while it is open. */
  ended(status: BatchStatus): Promise<string | null>
}

export type Followed = { status: BatchStatus; ending: string }

const everyMs = 500

/** Reads batches twice a second until each has ended, or until the signal is aborted. */
export const follow = async (ids: readonly bigint[], following: Following): Promise<Followed[]> => {
  const { sql, progress, signal, ended } = following
  const readAll = (now: Date) => Promise.all(ids.map((id) => readStatus(sql, id, now)))
  try {
    for (;;) {
      const now = new Date()
      const statuses = await readAll(now)
      progress.show(statuses, now)
      const endings = await Promise.all(statuses.map(ended))
      if (signal.aborted || endings.every((ending) => ending !== null)) {
        // Read once more: a row may have ended between the last read and this check.
        const last = await readAll(new Date())
        return last.map((status, i) => ({ status, ending: endings[i] ?? 'interrupted' }))
      }
      await pause(everyMs, undefined, { signal }).catch(() => {})
    }
  } finally {
    progress.end()
  }
}

/** Shows the progress of batches: bars on a terminal, lines elsewhere; always on stderr. */
type Progress = { show(statuses: readonly BatchStatus[], now: Date): void; end(): void }

/** `expected` is the number of documents that each batch will have once it is imported. */
export const createProgress = (
  { stderr }: CommandContext,
  expected: ReadonlyMap<number, number> = new Map(),
): Progress => {
  const meters = new Map<number, ReturnType<typeof createMeter>>()
  const draw = stderr.isTTY ? drawBars(stderr) : drawLines(stderr)
  return {
    show(statuses, now) {
      for (const status of statuses) {
        const { batch, done } = status
        const total = Math.max(status.total, expected.get(batch) ?? 0)
        if (!meters.has(batch)) meters.set(batch, createMeter())
        const pace = meters.get(batch)!.record({ done, total, now })
        draw.update({ ...status, ...(status.shown === 'running' && pace), total }, now)
      }
    },
    end: () => draw.end(),
  }
}

type Draw = { update(status: BatchStatus, now: Date): void; end(): void }

/** One line for each batch, drawn anew in place; the cursor is hidden until the end. */
const drawBars = (stream: NodeJS.WritableStream & { columns?: number }): Draw => {
  const lines = new Map<number, string>()
  return {
    update(status) {
      const columns = stream.columns ?? 80
      const { batch, name, total, done } = status
      const bar = barOf(total > 0 ? done / total : 0, Math.max(0, Math.min(20, columns - besideBar)))
      const up = lines.size > 0 ? `\x1b[${lines.size}A` : '\x1b[?25l'
      const line = `${name} ${stageOf(status)} |${bar}| ${number(done)}/${number(total)} ${factsOf(status)}`
      lines.set(batch, line.slice(0, columns - 1))
      stream.write(`${up}${[...lines.values()].map((line) => `\r\x1b[K${line}\n`).join('')}`)
    },
    end: () => void (lines.size > 0 && stream.write('\x1b[?25h')),
  }
}

const barOf = (share: number, width: number): string => {
  const full = Math.round(Math.min(1, share) * width)
  return '█'.repeat(full) + '░'.repeat(width - full)
}

/** Columns needed beside the bar: on a narrow terminal the bar shrinks, not the figures. */
const besideBar = 75

const repeatMs = 10_000

/** A line when the stage changes, and otherwise every ten seconds. */
const drawLines = (stream: NodeJS.WritableStream): Draw => {
  const printed = new Map<number, { stage: string; at: number }>()
  return {
    update(status, now) {
      const { batch, name, rows, total, done } = status
      const stage = stageOf(status)
      const last = printed.get(batch)
      if (last?.stage === stage && now.getTime() - last.at < repeatMs) return
      printed.set(batch, { stage, at: now.getTime() })
      stream.write(
        `batch ${batch} ${name}: ${stage}, ${number(done)} of ${number(total)} ${rows === total ? 'rows' : 'documents'} ${factsOf(status)}\n`,
      )
    },
    end: () => {},
  }
}

const stageOf = ({ state, shown, hold, times }: BatchStatus): string => {
  if (times.finished) return state
  if (shown === 'held' && hold) return `held (${hold.cause})`
  return shown === 'running' ? 'looking up' : state
}

const factsOf = ({ ratePerSecond, etaSeconds, open, spend, inDoubt }: BatchStatus): string => {
  const facts = [
    ratePerSecond === null || open === 0 ? '' : `${number(Math.round(ratePerSecond * 10) / 10)}/s`,
    etaSeconds === null || open === 0 ? '' : `${duration(etaSeconds)} left`,
    `${number(spend.charged)} charged${stillOpen(spend)}`,
    inDoubt > 0 ? `${number(inDoubt)} with unknown outcome` : '',
  ]
  return facts.filter(Boolean).join(', ')
}

/** The result of an action, or null if the signal stopped it. */
export const unlessStopped = async <T>(signal: AbortSignal, action: () => Promise<T>): Promise<T | null> => {
  if (signal.aborted) return null
  return action().catch((error) => {
    if (signal.aborted) return null
    throw error
  })
}
