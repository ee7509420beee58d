import type { BatchState } from '../../../src/domain/batch.ts'
import type { HoldCause } from '../../../src/domain/call-failure.ts'
import type { DocumentType } from '../../../src/domain/document.ts'
import type { Kind } from '../../../src/domain/kind.ts'
import type { Charge, Lookup, LookupState, OpenState } from '../../../src/domain/lookup.ts'
import type { Answer } from '../../../src/domain/outcome.ts'
import type { RiskFigures, Verdict } from '../../../src/domain/risk-change.ts'
import type { FreeFigure } from '../../../src/domain/sweep.ts'
import type { Message } from '../../../src/messages/message.ts'
import type { ListedRadar } from '../../../src/store/radars/radars.ts'
import type { SweepOrganization } from '../../../src/store/radars/sweep-organizations.ts'
import type { Sweep } from '../../../src/store/radars/sweeps.ts'

export type LookupRecord = {
  id: bigint
  organizationId: number
  kind: Kind
  question: string
  documentType: DocumentType | null
  label: string | null
  batchId: bigint
  heirOf: bigint | null
  state: LookupState
  current: boolean
  dueAt: Date | null
  deadlineAt: Date
  attempts: number
  polls: number
  workerDeaths: number
  sentAt: Date | null
  unlistedAt: Date | null
  refusedAs: Lookup['refusedAs']
  adoptedAt: Date | null
  snapshotId: bigint | null
  remoteId: string | null
  remoteKey: string | null
  charged: Charge
  seen: string | null
  message: Message | null
  asOf: Date | null
  askedAt: Date
  finishedAt: Date | null
}

export type IntentRecord = { lookupId: bigint; sentAt: Date; judgedAt: Date; snapshotId: bigint | null }
export type ClaimRecord = { jobId: string; state: OpenState; claimedAt: Date; ids: bigint[] }

export type BatchRecord = {
  id: bigint
  organizationId: number
  kind: Kind
  state: BatchState
  current: boolean
  pausedAt: Date | null
  maxSpend: number | null
  confirmAbove: number | null
  hasFile: boolean
  sweepId: bigint | null
  rows: number
  rejected: number
  toBePaid: number
  adopted: number
  counted: boolean
  spent: number
  createdAt: Date
  importedAt: Date | null
  startedAt: Date | null
  finishedAt: Date | null
}

export type RowRecord = { batchId: bigint; line: number; lookupId: bigint; pays: boolean; cancelled: boolean }

export type LaneRecord = {
  organizationId: number
  kind: Kind
  cause: HoldCause
  message: Message
  heldAt: Date
  trialAt: Date | null
  trials: number
}

export type WorkerRecord = {
  id: string
  host: string
  pid: number
  startedAt: Date
  heartbeatAt: Date
  share: number
  open: number
}

/** A list of the registry as it was read: a list snapshot. */
export type SnapshotRecord = {
  id: bigint
  organizationId: number
  kind: Kind
  beganAt: Date
  endedAt: Date | null
  items: number | null
  analyses: number | null
  limit: number | null
  complete: boolean | null
  lacks: boolean
  misdated: boolean
  oldestAt: Date | null
  youngestAt: Date | null
  requiredAt: Date | null
  awaitedAt: Date | null
  problem: Message | null
}

export type PurchaseRecord = {
  organizationId: number
  kind: Kind
  remoteId: string
  remoteKey: string | null
  document: string
  dated: string | null
  datedFrom: Date | null
  datedTo: Date | null
  status: string | null
  deleted: boolean
  snapshotId: bigint
  lookupId: bigint | null
  personKey: string | null
  boughtAt: Date | null
}

export type FleetRecord = {
  sequence: bigint
  server: string | null
  ledgerSince: Date | null
  supervisor: string | null
  supervisedAt: Date
}

export type JobRecord = {
  id: string
  name: string
  data: object
  priority: number
  state: 'created' | 'active' | 'retry'
  retryCount: number
  createdAt: number
  order: number
  /** Nobody takes it before; at most one of each key waits. */
  startAt: number
  key: string | null
}

export type SweepRecord = Sweep & { failures: number }
export type SweepOrganizationRecord = SweepOrganization & { sweepId: bigint }
export type RadarRecord = ListedRadar & { organizationId: number; removedAt: Date | null }

/** What a radar looked like at a sweep. */
export type RadarSnapshotRecord = RiskFigures & {
  sweepId: bigint
  organizationId: number
  document: string
  tries: number
  processesLookupId: bigint | null
  analysisLookupId: bigint | null
  totalRisk: number | null
  totalAnalyzed: number | null
  moved: FreeFigure | 'none' | null
  verifiedAt: Date | null
  message: Message | null
}

export type ChangeRecord = {
  sweepId: bigint
  organizationId: number
  document: string
  field: string
  verdict: Verdict
  before: string | null
  after: string | null
  weight: bigint
}

export type AlertRecord = { key: string | null; about: string; body: Record<string, unknown> }

/** Tables of monitoring, by their keys as text; rows of a sweep are found by its number. */
type MonitoringTables = {
  sweeps: Map<bigint, SweepRecord>
  schedules: Map<string, { expression: string; since: string }>
  sweepOrganizations: Map<string, SweepOrganizationRecord>
  radars: Map<string, RadarRecord>
  suspicious: Map<number, { sweepId: bigint; message: Message; radars: ListedRadar[] }>
  radarSnapshots: Map<string, RadarSnapshotRecord>
  changes: Map<string, ChangeRecord>
  alerts: Map<string, AlertRecord>
}

export type Tables = MonitoringTables & {
  lookups: Map<bigint, LookupRecord>
  answers: Map<bigint, Answer>
  intents: Map<bigint, IntentRecord>
  claims: Map<string, ClaimRecord>
  batches: Map<bigint, BatchRecord>
  rows: Map<bigint, RowRecord[]>
  counts: Map<bigint, Map<string, number>>
  lanes: Map<string, LaneRecord>
  workers: Map<string, WorkerRecord>
  snapshots: Map<bigint, SnapshotRecord>
  purchases: Map<string, PurchaseRecord>
  days: Map<string, number>
  jobs: Map<string, JobRecord>
  fleet: FleetRecord
}

export const emptyTables = (): Tables => ({
  lookups: new Map(),
  answers: new Map(),
  intents: new Map(),
  claims: new Map(),
  batches: new Map(),
  rows: new Map(),
  counts: new Map(),
  lanes: new Map(),
  workers: new Map(),
  snapshots: new Map(),
  purchases: new Map(),
  days: new Map(),
  jobs: new Map(),
  sweeps: new Map(),
  schedules: new Map(),
  sweepOrganizations: new Map(),
  radars: new Map(),
  suspicious: new Map(),
  radarSnapshots: new Map(),
  changes: new Map(),
  alerts: new Map(),
  fleet: { sequence: 0n, server: null, ledgerSince: null, supervisor: null, supervisedAt: new Date(0) },
})

const copyMap = <K, V extends object>(map: Map<K, V>): Map<K, V> =>
  new Map([...map].map(([key, record]) => [key, { ...record }]))

/** A copy as a standby or a backup holds it. */
export const copyTables = (tables: Tables): Tables => ({
  lookups: copyMap(tables.lookups),
  answers: new Map(tables.answers),
  intents: copyMap(tables.intents),
  claims: copyMap(tables.claims),
  batches: copyMap(tables.batches),
  rows: new Map([...tables.rows].map(([id, rows]) => [id, rows.map((row) => ({ ...row }))])),
  counts: new Map([...tables.counts].map(([id, counts]) => [id, new Map(counts)])),
  lanes: copyMap(tables.lanes),
  workers: copyMap(tables.workers),
  snapshots: copyMap(tables.snapshots),
  purchases: copyMap(tables.purchases),
  days: new Map(tables.days),
  jobs: copyMap(tables.jobs),
  sweeps: copyMap(tables.sweeps),
  schedules: copyMap(tables.schedules),
  sweepOrganizations: copyMap(tables.sweepOrganizations),
  radars: copyMap(tables.radars),
  suspicious: copyMap(tables.suspicious),
  radarSnapshots: copyMap(tables.radarSnapshots),
  changes: copyMap(tables.changes),
  alerts: copyMap(tables.alerts),
  fleet: { ...tables.fleet },
})
