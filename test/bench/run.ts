import { writeFile } from 'node:fs/promises'
import { availableParallelism, cpus } from 'node:os'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { renderTable } from '../../src/cli/lines/texts.ts'
import { endOnSignal } from '../support/end-on-signal.ts'
import { openBench } from './bench.ts'
import type { Line, Pair } from './line.ts'
import { lines } from './lines.ts'
import { type Outcome, outcomeOf } from './outcome.ts'
import { fullSizes, quickSizes, type Sizes } from './sizes.ts'

/**
 * `npm run bench [-- --quick] [--only NAME]…`
 *
 * Each line is a ratio of Vigia to a limit that was measured in the same run on the same machine. If a goal is missed, the
 * full run exits with 1. The quick run only reports, and fails if a count that does not depend on the machine has grown.
 */
const { values } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, only: { type: 'string', multiple: true } },
})
const sizes = values.quick ? quickSizes : fullSizes
const outcomes = await measure(chosen(values.only), sizes)
console.log(`\n${tableOf(outcomes)}`)
const place = resolve(import.meta.dirname, '../../bench.json')
await writeFile(place, `${JSON.stringify({ ...machine(), quick: values.quick, sizes, lines: outcomes }, null, 2)}\n`)
console.log(`\n${values.quick ? 'quick run: ' : ''}${sizes.rounds} rounds, medians; every round is in bench.json`)
if (outcomes.some(({ met, holds }) => !holds || !(met || values.quick))) process.exitCode = 1

function chosen(only: string[] | undefined): Line[] {
  if (!only) return lines.filter(({ fullOnly }) => !(values.quick && fullOnly))
  const unknown = only.filter((name) => !lines.some((line) => line.name === name))
  if (unknown.length === 0) return lines.filter(({ name }) => only.includes(name))
  console.error(`Unknown line ${unknown.join(', ')}. Known lines: ${lines.map(({ name }) => name).join(', ')}`)
  process.exit(2)
}

async function measure(wanted: Line[], sizes: Sizes): Promise<Outcome[]> {
  await using bench = await openBench(sizes)
  endOnSignal(new Set([bench]))
  const outcomes: Outcome[] = []
  for (const line of wanted) {
    const rounds: Pair[] = []
    for (let round = 1; round <= roundsOf(line, sizes); round++) {
      const pair = await line.round(bench, round)
      rounds.push(pair)
      console.error(`${line.name} ${round}: ${figure(pair.limit)} and ${figure(pair.vigia)} ${line.unit}`)
    }
    outcomes.push(outcomeOf(line, rounds))
  }
  return outcomes
}

/** A quick run judges only the fixed limits: the rest is measured once, to check that it still works. */
function roundsOf({ held }: Line, { rounds }: Sizes): number {
  return values.quick && !held ? 1 : rounds
}

function tableOf(outcomes: Outcome[]): string {
  return renderTable(outcomes, [
    ['line', ({ name }) => name],
    ['what', ({ what }) => what],
    ['limit', ({ limit }) => figure(limit), 'right'],
    ['Vigia', ({ vigia }) => figure(vigia), 'right'],
    ['unit', ({ unit }) => unit],
    [
      'value',
      ({ goal, value }) => (goal.includes('+') ? `${value < 0 ? '' : '+'}${figure(value)}` : value.toFixed(2)),
      'right',
    ],
    ['goal', ({ goal }) => goal, 'right'],
    ['', ({ met }) => (met ? 'met' : 'missed')],
  ])
}

function figure(value: number): string {
  return value.toLocaleString('en', { maximumSignificantDigits: value < 1_000 ? 3 : 4 })
}

function machine() {
  return {
    at: new Date().toISOString(),
    node: process.version,
    cpu: cpus()[0]?.model,
    cores: availableParallelism(),
  }
}
