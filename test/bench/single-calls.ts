import { spawnSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { ScenarioPatch } from '../../src/sandbox/scenario.ts'
import { apart } from './apart.ts'
import type { Bench } from './bench.ts'
import { openClient } from './client.ts'
import type { Pair } from './line.ts'
import { median } from './outcome.ts'
import { person } from './people-file.ts'
import { startRegistry } from './registry.ts'
import { startWorker } from './worker.ts'

type Calls = { documents: number; open: number; scenario?: ScenarioPatch }

/** The seconds of a task that buys and consults the analyses of a number of documents. */
export const callByHand = async (task: string, { scenario, ...calls }: Calls): Promise<number> => {
  await using registry = await startRegistry(scenario)
  return (await apart<{ seconds: number }>(task, { registryUrl: registry.url, ...calls })).seconds
}

/** The milliseconds of one row. Idle: before each file the worker rests for longer than any of its timers. */
export const fromSubmitToReport = async (bench: Bench, registryUrl: string): Promise<number> => {
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

const vigia = resolve(import.meta.dirname, '../../src/cli/vigia.js')

/** The milliseconds of a bare start of Node, and of `vigia --help`. */
export const timesOfStart = (starts: number): Pair => {
  timeOf([vigia, '--help'])
  const pairs = Array.from({ length: starts }, () => [timeOf(['-e', '0']), timeOf([vigia, '--help'])] as const)
  return { limit: median(pairs.map(([bare]) => bare)), vigia: median(pairs.map(([, help]) => help)) }
}

const timeOf = (args: string[]): number => {
  const began = performance.now()
  const { status, stderr } = spawnSync(process.execPath, args)
  if (status !== 0) throw new Error(`node ${args.join(' ')} ended with ${status}: ${stderr}`)
  return performance.now() - began
}
