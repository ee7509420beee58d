import { apart } from './apart.ts'
import { exportByLimit, exportByVigia } from './exports.ts'
import { statementsOfIdle } from './idle-workers.ts'
import { importByLimit, importByVigia, importComplete, importFromInbox } from './imports.ts'
import type { Line } from './line.ts'
import { costOfAnalysis } from './lookup-cost.ts'
import { lookUpByPeer, lookUpByVigia, processorTimeOf, smallAlone, smallAmong } from './lookup-runs.ts'
import { peopleFile, peopleWorkbook } from './people-file.ts'
import { startRegistry } from './registry.ts'
import { callByHand, fromSubmitToReport, timesOfStart } from './single-calls.ts'
import { passesOver } from './waiting-lookups.ts'

/** The registry of the lines with latency, and how many calls are open. */
const distant = { scenario: { latency: { all: { ms: 50, jitter: 20 } } }, open: 64 }

const imports: Line[] = [
  {
    name: 'import',
    what: 'import ÷ csv-parse → COPY into the same tables',
    unit: 'rows/s',
    goal: { atLeast: 0.75 },
    async round(bench, round) {
      const limit = await importByLimit(bench, bench.sizes.rows)
      return { limit, vigia: (await importByVigia(bench, bench.sizes.rows, round)).rowsPerSecond }
    },
  },
  {
    name: 'import-growth',
    what: 'cost per row of a large file ÷ of a small one',
    unit: 'µs/row',
    goal: { atMost: 1.2 },
    async round(bench, round) {
      const few = await importByVigia(bench, bench.sizes.fewRows, round)
      const many = await importByVigia(bench, bench.sizes.rows, round)
      return { limit: 1e6 / few.rowsPerSecond, vigia: 1e6 / many.rowsPerSecond }
    },
  },
  {
    name: 'import-memory',
    what: 'peak memory of an importing worker ÷ 256 MiB',
    unit: 'MiB',
    goal: { atMost: 1 },
    async round(bench, round) {
      return { limit: 256, vigia: (await importByVigia(bench, bench.sizes.rows, round)).peakMiB }
    },
  },
  {
    name: 'import-memory-growth',
    what: 'peak memory with a large file ÷ with a tenth of it',
    unit: 'MiB',
    goal: { atMost: 1.2 },
    async round(bench, round) {
      const few = await importByVigia(bench, bench.sizes.fewerRows, round)
      return { limit: few.peakMiB, vigia: (await importByVigia(bench, bench.sizes.rows, round)).peakMiB }
    },
  },
]

/** What an analysis makes the database write, against a fixed figure. */
const written: Line[] = [
  {
    name: 'row-versions',
    what: 'updates of a look-up from its question to its answer',
    unit: 'updates',
    goal: { atMost: 1 },
    held: { atMost: 1.5 },
    round: async (bench, round) => ({ limit: 1, vigia: (await costOfAnalysis(bench, round)).updates }),
  },
  {
    name: 'wal-bytes',
    what: 'kB of write-ahead log per analysis, its import included',
    unit: 'kB',
    goal: { atMost: 1.2 },
    held: { atMost: 2.3 },
    round: async (bench, round) => ({ limit: 1, vigia: (await costOfAnalysis(bench, round)).walBytes / 1_000 }),
  },
  {
    name: 'transactions',
    what: 'transactions per 100 look-ups, reads included',
    unit: 'transactions',
    goal: { atMost: 10 },
    // A full run prints 13; a quick one is shorter, and beside other programs what follows the clock counts more.
    held: { atMost: 35 },
    round: async (bench, round) => ({ limit: 1, vigia: (await costOfAnalysis(bench, round)).transactions * 100 }),
  },
]

/** What workers with nothing to do ask the database; several share the supervision. */
const idle = (workers: number, atMost: number): Line => ({
  name: workers === 1 ? 'idle-alone' : `idle-of-${workers}`,
  what: workers === 1 ? 'statements per second of an idle worker' : `the same for each of ${workers} idle workers`,
  unit: 'a second',
  goal: { atMost },
  // Workers that are still starting on a busy machine ask more.
  held: { atMost: atMost * 2 },
  round: async (bench) => ({ limit: 1, vigia: (await statementsOfIdle(bench, workers)) / workers }),
})

const workbooks: Line[] = [
  {
    name: 'workbook import',
    what: 'a file submitted and imported as a workbook ÷ as CSV',
    unit: 'rows/s',
    goal: { atLeast: 0.3 },
    async round(bench) {
      const { workbookRows: rows } = bench.sizes
      const limit = await importComplete(bench, await peopleFile(bench, rows), rows)
      return { limit, vigia: await importComplete(bench, await peopleWorkbook(bench, rows), rows) }
    },
  },
  {
    name: 'workbook-import-memory',
    what: 'peak memory of a worker that takes a large workbook from its inbox ÷ 256 MiB',
    unit: 'MiB',
    goal: { atMost: 1 },
    async round(bench) {
      return { limit: 256, vigia: await importFromInbox(bench, await peopleWorkbook(bench, bench.sizes.rows)) }
    },
  },
]

const lookups: Line = {
  name: 'lookups',
  what: 'look-ups at zero latency ÷ a hand-written loop, 50 open',
  unit: 'look-ups/s',
  goal: { atLeast: 0.6 },
  async round(bench) {
    const documents = bench.sizes.lookups
    const limit = await lookUpByPeer(bench, 'lookups-limit', documents, 50)
    return { limit, vigia: await lookUpByVigia(bench, { documents, open: 50, workers: 1 }) }
  },
}

/** They are a third of the time, and what a library does is no news of a change of ours: a quick run leaves them out. */
const peer = (name: 'graphile' | 'boss' | 'dbos', what: string): Line => ({
  name: `peer-${name}`,
  what: `look-ups at zero latency ÷ ${what}, 50 open`,
  unit: 'look-ups/s',
  goal: { atLeast: 1.5 },
  fullOnly: true,
  async round(bench) {
    const documents = bench.sizes.peerLookups
    const limit = await lookUpByPeer(bench, `peer-${name}`, documents, 50)
    return { limit, vigia: await lookUpByVigia(bench, { documents, open: 50, workers: 1 }) }
  },
})

/** Small groups cost most: many workers with few calls each. */
const fleetCost: Line = {
  name: 'fleet-cost',
  what: 'the database’s processor time per look-up with 8 workers of 8 open',
  unit: 'ms',
  goal: { atMost: 0.35 },
  async round(bench) {
    const run = { documents: bench.sizes.fleetLookups, scenario: { latency: { all: 50 } }, workers: 8, open: 8 }
    return { limit: 1, vigia: (await processorTimeOf(bench, run)) / 1_000 }
  },
}

const underLatency: Line[] = [
  {
    name: 'lookups-latency',
    what: 'look-ups at 50 ± 20 ms, 64 open ÷ a bare undici loop',
    unit: 'look-ups/s',
    goal: { atLeast: 0.96 },
    async round(bench) {
      const documents = bench.sizes.slowLookups
      const limit = documents / (await callByHand('bare-calls', { documents, ...distant }))
      return { limit, vigia: await lookUpByVigia(bench, { documents, workers: 1, ...distant }) }
    },
  },
  {
    name: 'two-workers',
    what: 'two workers ÷ one, at 50 ms and 32 open each',
    unit: 'look-ups/s',
    goal: { atLeast: 1.9 },
    async round(bench) {
      const run = { documents: bench.sizes.slowLookups, open: 32, scenario: { latency: { all: 50 } } }
      const limit = await lookUpByVigia(bench, { ...run, workers: 1 })
      return { limit, vigia: await lookUpByVigia(bench, { ...run, workers: 2 }) }
    },
  },
  fleetCost,
  {
    name: 'small-among-large',
    what: 'a file of 200 people while a large one is under way ÷ alone, at 50 ± 20 ms and 64 open',
    unit: 's',
    goal: { atMost: 2 },
    async round(bench) {
      const { rows } = bench.sizes
      const [small, another] = [await peopleFile(bench, 200, rows), await peopleFile(bench, 200, rows + 200)]
      const run = { documents: rows, workers: 1, ...distant }
      return { limit: await smallAlone(bench, run, small, another), vigia: await smallAmong(bench, run, small) }
    },
  },
]

const passes: Line[] = [
  {
    name: 'client',
    what: 'registry client ÷ bare pool.request, 50 open',
    unit: 'calls/s',
    goal: { atLeast: 0.85 },
    async round({ sizes: { lookups: documents } }) {
      const limit = (2 * documents) / (await callByHand('bare-calls', { documents, open: 50 }))
      return { limit, vigia: (2 * documents) / (await callByHand('client-calls', { documents, open: 50 })) }
    },
  },
  {
    name: 'due-pass',
    what: 'pass that dispatches 500 due look-ups ÷ bare select for update skip locked',
    unit: 'ms',
    goal: { atMost: 2 },
    async round(bench, round) {
      const { bare, pass } = await passesOver(bench, bench.sizes.waiting, round)
      return { limit: bare, vigia: pass }
    },
  },
  {
    name: 'due-growth',
    what: 'the same pass with many waiting look-ups ÷ with a thousand',
    unit: 'ms',
    goal: { atMost: 1.3 },
    async round(bench, round) {
      const few = await passesOver(bench, bench.sizes.fewWaiting, round)
      return { limit: few.pass, vigia: (await passesOver(bench, bench.sizes.waiting, round)).pass }
    },
  },
]

const exports: Line[] = [
  {
    name: 'export',
    what: 'export ÷ COPY (…) TO STDOUT of the same columns',
    unit: 'rows/s',
    goal: { atLeast: 0.6 },
    async round(bench, round) {
      const { rows } = bench.sizes
      const limit = await exportByLimit(bench)
      return { limit: rows / limit.seconds, vigia: rows / (await exportByVigia(bench, 'csv', 'large', round)).seconds }
    },
  },
  exportMemory('export-memory', 'csv', 'export'),
  {
    name: 'workbook',
    what: 'report as a workbook ÷ as CSV, of the same rows',
    unit: 'rows/s',
    goal: { atLeast: 0.3 },
    async round(bench, round) {
      const csv = await exportByVigia(bench, 'csv', 'large', round)
      const workbook = await exportByVigia(bench, 'xlsx', 'large', round)
      return { limit: bench.sizes.rows / csv.seconds, vigia: bench.sizes.rows / workbook.seconds }
    },
  },
  exportMemory('workbook-memory', 'xlsx', 'workbook'),
]

function exportMemory(name: string, format: 'csv' | 'xlsx', what: string): Line {
  return {
    name,
    what: `peak memory of a large ${what} ÷ of a tenth of it`,
    unit: 'MiB',
    goal: { atMost: 1.2 },
    async round(bench, round) {
      const small = await exportByVigia(bench, format, 'small', round)
      return { limit: small.peakMiB, vigia: (await exportByVigia(bench, format, 'large', round)).peakMiB }
    },
  }
}

const single: Line[] = [
  {
    name: 'single-row',
    what: 'one row from submit to report − its calls and first wait by hand',
    unit: 'ms',
    goal: { overAtMost: 1_000 },
    async round(bench) {
      await using registry = await startRegistry()
      const { ms } = await apart<{ ms: number }>('single-limit', { registryUrl: registry.url })
      return { limit: ms, vigia: await fromSubmitToReport(bench, registry.url) }
    },
  },
  {
    name: 'help',
    what: 'vigia --help ÷ a bare start of Node',
    unit: 'ms',
    goal: { atMost: 3 },
    round: async ({ sizes }) => timesOfStart(sizes.starts),
  },
]

export const lines: Line[] = [
  ...imports,
  ...written,
  ...[idle(1, 12), idle(4, 5)],
  ...workbooks,
  lookups,
  peer('graphile', 'a job per row with graphile-worker'),
  peer('boss', 'a job per row with pg-boss'),
  peer('dbos', 'a workflow per row with DBOS'),
  ...underLatency,
  ...passes,
  ...exports,
  ...single,
]
