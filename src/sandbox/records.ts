import type { PlantedRisk } from './data/risk.ts'
import type { ScenarioPatch } from './scenario.ts'

export type Analysis = {
  id: number
  uniqueId: number
  previousId: number
  organizationId: number
  type: string
  document: string
  at: number
  stuck: boolean
  /** Bought by somebody who is not the caller. */
  by?: 'others'
  deletedAt?: number
}
export type Cnh = { id: string; organizationId: number; document: string; at: number; stuck: boolean }
export type BookedRadar = {
  id: number
  organizationId: number
  code: string
  name: string
  type: string
  at: number
  active: boolean
}
export type IssuedToken = { token: string; at: number; expiresAt: number | null; email: string | null; calls: number }
export type BookedCharge = {
  organizationId: number
  document: string
  kind: 'analysis' | 'cnh'
  id: number | string
  at: number
}

/** Everything that can happen to the registry. Each is one line of the journal, written completely or not at all. */
export type Happening =
  | { type: 'analysis'; analysis: Analysis }
  | { type: 'deleted'; organizationId: number; document: string; at: number }
  | { type: 'cnh'; cnh: Cnh }
  | { type: 'radar'; radar: BookedRadar }
  | { type: 'radarRemoved'; id: number }
  | { type: 'inactivated'; organizationId: number; process: string; at: number }
  | { type: 'scr'; planId: number; document: string; at: number; day: number; stuck: boolean }
  | { type: 'token'; token: IssuedToken }
  | { type: 'day'; day: number }
  | { type: 'planted'; document: string; risk: PlantedRisk | null }
  | { type: 'scenario'; patch: ScenarioPatch; at: number }

/** The registry's records in memory. */
export type SandboxRecords = ReturnType<typeof openRecords>

export const openRecords = () => ({
  analyses: new Map<number, Analysis>(),
  /** Per organization and document, oldest first: the unit the activity list is made of. */
  consumption: new Map<number, Map<string, Analysis[]>>(),
  cnh: new Map<string, Cnh>(),
  latestCnh: new Map<string, Cnh>(),
  radars: new Map<number, BookedRadar>(),
  inactive: new Map<string, number>(),
  scr: new Map<string, { at: number; day: number; stuck: boolean }>(),
  tokens: new Map<string, IssuedToken>(),
  charges: [] as BookedCharge[],
  chargedBy: new Map<number, number>(),
  planted: new Map<string, PlantedRisk>(),
  nextRadarId: 300_001,
  day: 0,
})

export const firstAnalysisId = 9_000_001

/** Applies one happening to the records, both for a live call and for a line of the journal. */
export const enter = (records: SandboxRecords, happening: Entry): void => {
  const write = entries[happening.type] as (records: SandboxRecords, happening: Entry) => void
  write(records, happening)
}

type Entry = Exclude<Happening, { type: 'scenario' }>

const entries: { [T in Entry['type']]: (records: SandboxRecords, happening: Extract<Entry, { type: T }>) => void } = {
  analysis: (records, { analysis }) => enterAnalysis(records, analysis),
  deleted: (records, { organizationId, document, at }) => {
    for (const analysis of analysesOf(records, organizationId, document)) analysis.deletedAt ??= at
  },
  cnh: (records, { cnh }) => enterCnh(records, cnh),
  radar: (records, { radar }) => {
    records.nextRadarId = Math.max(records.nextRadarId, radar.id + 1)
    records.radars.set(radar.id, radar)
  },
  radarRemoved: (records, { id }) => records.radars.delete(id),
  inactivated: (records, { organizationId, process, at }) => records.inactive.set(`${organizationId} ${process}`, at),
  scr: (records, query) => records.scr.set(`${query.planId} ${query.document}`, query),
  token: (records, { token }) => records.tokens.set(token.token, { ...token }),
  day: (records, { day }) => {
    records.day = day
  },
  planted: (records, { document, risk }) => enterPlanted(records, document, risk),
}

/** All analyses of a document for an organization, oldest first. */
export const analysesOf = (records: SandboxRecords, organizationId: number, document: string): readonly Analysis[] =>
  records.consumption.get(organizationId)?.get(document) ?? []

const enterAnalysis = (records: SandboxRecords, analysis: Analysis): void => {
  const { id, organizationId, document, at } = analysis
  records.analyses.set(id, analysis)
  const documents = records.consumption.get(organizationId) ?? new Map<string, Analysis[]>()
  records.consumption.set(organizationId, documents)
  const earlier = documents.get(document)
  if (earlier) earlier.push(analysis)
  else documents.set(document, [analysis])
  charge(records, { organizationId, document, kind: 'analysis', id, at }, analysis.by)
}

const enterCnh = (records: SandboxRecords, cnh: Cnh): void => {
  const { id, organizationId, document, at } = cnh
  records.cnh.set(id, cnh)
  records.latestCnh.set(`${organizationId} ${document}`, cnh)
  charge(records, { organizationId, document, kind: 'cnh', id, at })
}

/** Every purchase uses up the plan, but charges count only the caller's own purchases. */
const charge = (records: SandboxRecords, unit: BookedCharge, by?: 'others'): void => {
  records.chargedBy.set(unit.organizationId, (records.chargedBy.get(unit.organizationId) ?? 0) + 1)
  if (by !== 'others') records.charges.push(unit)
}

const enterPlanted = (records: SandboxRecords, document: string, risk: PlantedRisk | null): void => {
  if (risk === null) records.planted.delete(document)
  else {
    const earlier = records.planted.get(document)
    records.planted.set(document, { ...earlier, ...risk, figures: { ...earlier?.figures, ...risk.figures } })
  }
}
