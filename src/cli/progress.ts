import { MultiBar, type SingleBar } from 'cli-progress'
import { createMeter } from '../batches/progress.ts'
import type { BatchStatus } from '../batches/status.ts'
import type { CommandContext } from './context.ts'
import { stillOpen } from './status-lines.ts'
import { duration, number } from './wording.ts'

/** Shows how far batches are: bars on a terminal, lines elsewhere; always on stderr. */
export type Progress = { show(statuses: readonly BatchStatus[], now: Date): void; end(): void }

/** `expected` is how many rows each batch will have once it is imported. */
export function createProgress(
  { stderr }: CommandContext,
  expected: ReadonlyMap<number, number> = new Map(),
): Progress {
  const meters = new Map<number, ReturnType<typeof createMeter>>()
  const draw = stderr.isTTY ? drawBars(stderr) : drawLines(stderr)
  return {
    show(statuses, now) {
      for (const status of statuses) {
        const { batch, rows, done } = status
        const total = Math.max(rows, expected.get(batch) ?? 0)
        if (!meters.has(batch)) meters.set(batch, createMeter())
        const pace = meters.get(batch)!.record({ done, total, now })
        draw.update({ ...status, ...(status.shown === 'running' && pace), rows: total }, now)
      }
    },
    end: () => draw.end(),
  }
}

type Draw = { update(status: BatchStatus, now: Date): void; end(): void }

function drawBars(stream: NodeJS.WritableStream & { columns?: number }): Draw {
  const format = '{name} {stage} |{bar}| {value}/{total} {facts}'
  const barsize = Math.max(0, Math.min(20, (stream.columns ?? 80) - besideBar))
  const bars = new MultiBar({ stream, format, hideCursor: true, clearOnComplete: false, barsize, linewrap: false })
  const known = new Map<number, SingleBar>()
  return {
    update(status) {
      const { batch, name, rows, done } = status
      if (!known.has(batch)) known.set(batch, bars.create(rows, 0, { name, stage: '', facts: '' }))
      const bar = known.get(batch)!
      bar.setTotal(rows)
      bar.update(done, { name, stage: stageOf(status), facts: factsOf(status) })
    },
    end: () => bars.stop(),
  }
}

/** A narrow terminal shows the figures and less of the bar. */
const besideBar = 75

const silenceMs = 10_000

/** A line when the stage changes, and otherwise every ten seconds. */
function drawLines(stream: NodeJS.WritableStream): Draw {
  const told = new Map<number, { stage: string; at: number }>()
  return {
    update(status, now) {
      const { batch, name, rows, done } = status
      const stage = stageOf(status)
      const last = told.get(batch)
      if (last?.stage === stage && now.getTime() - last.at < silenceMs) return
      told.set(batch, { stage, at: now.getTime() })
      stream.write(`batch ${batch} ${name}: ${stage}, ${number(done)} of ${number(rows)} rows ${factsOf(status)}\n`)
    },
    end: () => {},
  }
}

function stageOf({ state, hold, times }: BatchStatus): string {
  if (times.finished) return state
  if (state === 'running') return hold ? `held (${hold.cause})` : 'looking up'
  return state
}

function factsOf({ ratePerSecond, etaSeconds, open, spend, inDoubt }: BatchStatus): string {
  const facts = [
    ratePerSecond === null || open === 0 ? '' : `${number(Math.round(ratePerSecond * 10) / 10)}/s`,
    etaSeconds === null || open === 0 ? '' : `${duration(etaSeconds)} left`,
    `${number(spend.charged)} charged${stillOpen(spend)}`,
    inDoubt > 0 ? `${number(inDoubt)} in doubt` : '',
  ]
  return facts.filter(Boolean).join(', ')
}
