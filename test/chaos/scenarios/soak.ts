import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { readBatch } from '../../../src/store/batches/batches.ts'
import { cpfs } from '../../support/documents.ts'
import { checkFiles } from '../check-files.ts'
import { readLedger } from '../purchase-ledger.ts'
import type { Scenario } from '../scenario.ts'

const documents = 100_000

type Sample = { mib: number; handles: number }

/** A hundred thousand documents through one worker: its memory and open files at the end equal those of the middle. */
export const soak: Scenario = {
  name: 'soak',
  size: '100,000 documents; full only',
  fullOnly: true,
  async run({ open }) {
    await using arena = await open({
      forgetful: true,
      config: { concurrency: { worker: 32, fleet: 32 }, request: { timeout: '10s', retries: 2 } },
    })
    const worker = await arena.fleet.start()
    await worker.ready
    const { batchId } = await arena.submit(cpfs(documents))
    const samples: Sample[] = []
    while (!(await readBatch(arena.sql, batchId))?.exportedAt) {
      samples.push(await sample(worker.pid))
      await pause(1_000)
    }
    const { records, files } = { records: await readLedger(arena.sql), files: await checkFiles(arena) }
    const [middle, end] = [
      samples.slice(samples.length / 3, (samples.length * 2) / 3),
      samples.slice(-samples.length / 3),
    ]
    const peak = Math.max(...samples.map(({ mib }) => mib))
    const handles = Math.max(...end.map((s) => s.handles))
    const problems = [
      ...files.problems,
      ...arena.fleet.fallen,
      records.states.ok !== documents && `only ${records.states.ok} of ${documents} look-ups were answered`,
      median(end, 'mib') > median(middle, 'mib') * 1.2 && 'memory grew from the middle to the end',
      handles > Math.max(...middle.map((s) => s.handles)) + 8 && 'open files grew from the middle to the end',
    ].filter((problem) => problem !== false)
    return { problems, figures: { rows: documents, lost: files.lost, 'MiB at most': peak, 'open files': handles } }
  },
}

const sample = async (pid: number): Promise<Sample> => {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  const handles = (await readdir(`/proc/${pid}/fd`)).length
  return { mib: Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1_024), handles }
}

const median = (samples: Sample[], of: keyof Sample): number =>
  samples.map((each) => each[of]).toSorted((a, b) => a - b)[Math.floor(samples.length / 2)] ?? 0
