import { setTimeout as pause } from 'node:timers/promises'
import type { Arena, Submitted } from './arena.ts'
import { checkFiles } from './check-files.ts'
import { checkPrivacy } from './check-privacy.ts'
import { readLedger } from './purchase-ledger.ts'
import { purchaseSettings } from './purchase-settings.ts'
import type { Outcome } from './scenario.ts'

// What scenarios have in common whose database forgets what was committed last.

/** Paid lanes wait for whatever was under way when commits were lost: not for long, in a scenario. */
export const patientSettings = {
  ...purchaseSettings,
  concurrency: { worker: 6, fleet: 12 },
  polling: { first: '50ms', max: '400ms', deadline: '5m' },
  request: { timeout: '700ms', retries: 2 },
}

/** A connection that the crash has cut is only found out by using it. */
export const handIn = async ({ until }: Arena, submit: () => Promise<Submitted>): Promise<Submitted> => {
  let submitted: Submitted | undefined
  await until(async () => {
    submitted = await submit()
    return true
  }, 30_000)
  return submitted!
}

export const charges = async ({ sandbox }: Arena): Promise<number> => (await sandbox.summary()).charges.total

/** Lets the run go on for a while; where it does not come so far, the moment is as good as any. */
export const untilBought = async (arena: Arena, wanted: number): Promise<void> => {
  const patient = performance.now() + 20_000
  while ((await charges(arena)) < wanted && performance.now() < patient) await pause(10)
}

/** The registry has sold each document once, and every row has come back. */
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
