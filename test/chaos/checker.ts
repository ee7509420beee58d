import type { Arena } from './arena.ts'
import { checkFiles } from './check-files.ts'
import { checkPrivacy } from './check-privacy.ts'
import { formatPeak, peakOf } from './most-open.ts'
import { type BatchFacts, type PurchaseLedger, readLedger } from './purchase-ledger.ts'
import type { Evidence } from './witness.ts'

/** The result of a scenario: figures for its line, and every violation of a promise. */
export type Findings = {
  problems: string[]
  figures: Record<string, number>
  evidence: Evidence
  records: PurchaseLedger
}

/** Compares the registry's ledger with our records and with the files. */
export const check = async (arena: Arena): Promise<Findings> => {
  const evidence = await arena.sandbox.evidence()
  const records = await readLedger(arena.sql)
  const peak = peakOf(evidence.requests, arena.timeoutMs)
  const open = peak.requests.length
  const files = await checkFiles(arena)
  const problems = [
    ...checkPurchases(arena, evidence, records),
    ...checkSpending(records),
    ...checkCounts(records.batches),
    ...files.problems,
    ...(await checkPrivacy(arena)),
    ...arena.fleet.fallen,
    ...(open > arena.most
      ? [`${open} requests were open at once, the bound is ${arena.most}`, ...formatPeak(peak)]
      : []),
    ...(records.open > 0 ? [`${records.open} look-ups never ended`] : []),
  ]
  const rows = records.batches.reduce((sum, batch) => sum + batch.rows, 0)
  const charges = evidence.units.length
  const figures = { rows, lost: files.lost, charges, twice: twice(evidence).length, parked: records.parked, open }
  return { problems, figures, evidence, records }
}

const keyOf = (organizationId: number, kind: string, document: string): string =>
  `${organizationId} ${kind} ${document}`

const twice = ({ units }: Evidence): string[] =>
  [...Map.groupBy(units, (unit) => keyOf(unit.organizationId, unit.kind, unit.document))]
    .filter(([, bought]) => bought.length > 1)
    .map(([key]) => key)

const checkPurchases = (arena: Arena, evidence: Evidence, { lookups }: PurchaseLedger): string[] => {
  const asked = new Set(
    arena.submitted.flatMap(({ organizationId, kind, documents }) =>
      documents.map((document) => keyOf(organizationId, kind, document)),
    ),
  )
  const paid = lookups.filter(({ charged }) => charged !== 'no')
  const known = new Set(paid.map((l) => keyOf(l.organizationId, l.kind, l.question)))
  const bought = new Map(evidence.units.map((unit) => [String(unit.id), unit]))
  const isOurs = ({ organizationId, kind, question, remoteId }: PurchaseLedger['lookups'][number]): boolean => {
    const unit = bought.get(remoteId ?? '')
    return (
      unit !== undefined &&
      keyOf(unit.organizationId, unit.kind, unit.document) === keyOf(organizationId, kind, question)
    )
  }
  return [
    ...counted(twice(evidence), 'documents were bought twice'),
    ...counted(
      evidence.units.filter((u) => !asked.has(keyOf(u.organizationId, u.kind, u.document))),
      'charges without a request',
    ),
    ...counted(
      evidence.units.filter((u) => !known.has(keyOf(u.organizationId, u.kind, u.document))),
      'charges without a record of ours',
    ),
    ...counted(
      paid.filter((lookup) => lookup.charged === 'yes' && !isOurs(lookup)),
      'purchases in our records that the registry never made',
    ),
  ]
}

const counted = (found: unknown[], what: string): string[] => (found.length > 0 ? [`${found.length} ${what}`] : [])

/** Units are reserved before a call and returned if it cost nothing: in the end they equal what was bought, or parked. */
const checkSpending = ({ bought, parked, batches, spentByDay }: PurchaseLedger): string[] => {
  const spent = batches.reduce((sum, batch) => sum + batch.spent, 0)
  return [
    ...(spent === bought + parked
      ? []
      : [`batches say ${spent} spent, look-ups ${bought} bought and ${parked} parked`]),
    ...(spentByDay === spent ? [] : [`the days say ${spentByDay} spent, the batches ${spent}`]),
  ]
}

const checkCounts = (batches: BatchFacts[]): string[] =>
  batches
    .filter(({ kept, counted }) => kept !== counted)
    .map(({ id, kept, counted }) => `batch ${id} keeps the counts ${kept}, its rows say ${counted}`)
