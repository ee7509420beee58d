import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import defaults from '../../../config/default.json' with { type: 'json' }
import { parseDuration } from '../../../src/domain/duration.ts'
import { apart } from '../apart.ts'
import type { Bench } from '../bench.ts'
import { openClient } from '../client.ts'
import type { Line } from '../line.ts'
import { median } from '../outcome.ts'
import { person } from '../people-file.ts'
import { startRegistry } from '../registry-process.ts'
import { startWorker } from '../worker.ts'

const waitMs = parseDuration(defaults.polling.first)

export const singleRow: Line = {
  name: 'single-row',
  what: 'one row from submit to report − its calls and first wait by hand',
  unit: 'ms',
  goal: { overAtMost: 1_000 },

  async round(bench) {
    await using registry = await startRegistry()
    const { ms } = await apart<{ ms: number }>('single-limit', { registryUrl: registry.url, waitMs })
    return { limit: ms, vigia: await fromSubmitToReport(bench, registry.url) }
  },
}

/** Idle: before each file the worker rests for longer than any of its timers. */
const fromSubmitToReport = async (bench: Bench, registryUrl: string): Promise<number> => {
  await using database = await bench.server.database()
  await using _worker = await startWorker(bench, { databaseUrl: database.url, registryUrl })
  await using client = await openClient(database.url)
  const times: number[] = []
  for (let n = 0; n < bench.sizes.singles; n++) {
    const path = join(bench.folder, 'single.csv')
    await writeFile(path, `documento\n${person(100 + n)}\n`)
    await pause(3_000)
    const began = performance.now()
    await client.until(await client.submit(path), ({ exportedAt }) => exportedAt)
    times.push(performance.now() - began)
  }
  return median(times)
}
