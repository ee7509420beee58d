import { setTimeout as pause } from 'node:timers/promises'
import type { Arena, Submitted } from './arena.ts'
import { checkFiles } from './check-files.ts'
import { checkPrivacy } from './check-privacy.ts'
import { readLedger } from './purchase-ledger.ts'
import { purchaseSettings } from './purchase-settings.ts'
import type { Outcome } from './scenario.ts'

// Shared by the scenarios whose database loses its latest commits.

/** Paid lanes wait for everything that was under way when commits were lost; in a scenario, for a short time. */
export const patientSettings = {
  ...purchaseSettings,
  concurrency: { worker: 6, fleet: 12 },
  polling: { first: '50ms', max: '400ms', deadline: '5m' },
  request: { timeout: '700ms', retries: 2 },
}

/** A connection that the crash has cut is detected only by using it. */
export const handIn = async ({ until }: Arena, submit: () => Promise<Submitted>): Promise<Submitted> => {
  let submitted: Submitted | undefined
  await until(async () => {
    submitted = await submit()
    return true
  }, 30_000)
  return submitted!
}

export const charges = async ({ sandbox }: Arena): Promise<number> => (await sandbox.summary()).charges.total

/** Waits for the run to make some progress; if it does not get that far, any moment will do. */
export const untilBought = async (arena: Arena, wanted: number): Promise<void> => {
  const patient = performance.now() + 20_000
  while ((await charges(arena)) < wanted && performance.now() < patient) await pause(10)
}

/** The registry has sold each document once, and every row has been reported. */
export const judgeForgetful = async (arena: Arena): Promise<Outcome> => {
  const { units } = await arena.sandbox.evidence()
  const records = await readLedger(arena.sql)
  const files = await checkFiles(arena)
  const documents = new Set(arena.submitted.flatMap((submitted) => submitted.documents)).size
  const bought = new Set(units.map(({ document }) => document)).size
  const bad = Object.keys(records.states).filter((state) => state !== 'ok' && state !== 'unknown_outcome')
  return {
    figures: {
      documents,
      charges: units.length,
      twice: units.length - bought,
      lost: files.lost,
      parked: records.parked,
    },
    problems: [
      ...(units.length === documents && bought === documents
        ? []
        : [`${units.length} charges for ${documents} documents`]),
      ...(bad.length > 0 ? [`look-ups ended as ${bad.join(', ')}`, ...records.histories] : []),
      ...(records.open > 0 ? [`${records.open} look-ups never ended`] : []),
      ...files.problems,
      ...(await checkPrivacy(arena)),
      ...arena.fleet.fallen,
    ],
  }
}
