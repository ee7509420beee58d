import type { Kind } from '../../../src/domain/kind.ts'
import type { DateShape } from '../../../src/sandbox/world.ts'

/** A history before it happens: everything that chance decides beforehand, each of it apart, so that it can be left out. */
export type Plan = {
  seed: number
  /** How many documents each file asks for, by the number of the document. */
  files: File[]
  workers: number
  settings: SettingsPlan
  registry: RegistryPlan
  /** Faults of single paid calls: the n-th call for a document. */
  calls: CallFault[]
  /** What happens at a moment, whatever else happens. */
  incidents: Incident[]
  /** What is monitored; null: nothing. */
  radars: RadarsPlan | null
}

/** Sweeps, which come as often as batches in other histories, and the radars that they check. */
export type RadarsPlan = {
  everyMinutes: number
  /** No sweep begins later. */
  untilMs: number
  refresh: 'processes' | 'none'
  analysisOn: 'change' | 'age' | 'both'
  analysisEvery: number | null
  perBatch: number | null
  /** What becomes of radars, in the order of time. */
  events: RadarEvent[]
}

export type RadarEvent = { at: number; document: number } & (
  | { is: 'appears' | 'disappears' | 'deactivated' | 'reactivated' | 'renamed' }
  | { is: 'moves'; figure: 'processes' | 'totalRisk' | 'totalAnalyzed' | 'count' | 'cents'; by: number }
)

export type File = {
  kind: Extract<Kind, 'analysis' | 'cnh'>
  organizationId: number
  documents: number[]
  at: number
  maxSpend: number | null
  confirmAbove: number | null
}

export type SettingsPlan = {
  requestTimeoutMs: number
  listLagMs: number
  maxAgeMs: number
  deadlineMs: number
  freshnessMs: number
  perDay: number | null
  worker: number
  fleet: number
  adopt: boolean
  /** How late a heartbeat or a look at what is due may be. */
  lazyMs: number
  /** Every statement is a step by itself, between which a worker may crash. */
  stepwise: boolean
  sameHost: boolean
  /** How many minutes after midnight in the zone of the settings it begins. */
  minuteOfDay: number
}

export type RegistryPlan = {
  order: 'newest' | 'oldest' | 'shuffled'
  page: number | null
  pageOf: 'items' | 'analyses'
  keep: 'newest' | 'oldest' | 'any'
  total: 'all' | 'page'
  /** `boast`: it names a limit far above its length, and a total of what it shows, whatever it leaves out. */
  figures: 'own' | 'roomy' | 'boast' | 'length' | 'analyses' | 'zero' | 'null'
  per: 'document' | 'analysis'
  deleted: 'listed' | 'hidden'
  empty: 'array' | 'null' | 'missing' | 'refusal'
  lagMs: number
  lags: 'same' | 'each'
  /** A purchase whose answer was lost is missing from the first list that must show it, and only from that. */
  lapses: boolean
  dates: { shape: DateShape; zoneMs: number; clockMs: number; apartMs: number }
  /** New licence requests are 404 for so long. */
  hidesNewMs: number
  readyMs: number
  /** How long an answer takes beside the way there and back. */
  slowMs: number
  /** The share of answers that are about another document. */
  mixed: number
  neverReady: number[]
  colleagues: Colleague[]
}

/** Somebody else of the organization buys a document, some time before or during the history. */
export type Colleague = { document: number; at: number; kind: 'analysis' | 'cnh' }

export type Fault =
  | 'lost_before'
  | 'hang_before'
  | 'lost_after'
  | 'hang_after'
  | 'late'
  | 'refused_charged'
  | 'refused'
  | 'payment_required_charged'
  | 'payment_required'
  | 'forbidden_charged'
  | 'invalid_charged'
  | 'mixed_up'
  | 'error_charged'
  | 'error'
  | 'html_charged'
  | 'too_many'
  | 'token_charged'

export type CallFault = { document: number; nth: number; fault: Fault }

export type Incident = { at: number } & (
  | { is: 'crash'; worker: number; afterMs: number }
  | { is: 'pause'; worker: number; ms: number }
  | { is: 'suspend'; worker: number; ms: number }
  | { is: 'clock'; worker: number; ms: number }
  | { is: 'outage'; ms: number; how: 'error' | 'closed' | 'hang' | 'html' }
  | { is: 'plan_ends'; ms: number; how: 'named' | 'payment' | 'forbidden' }
  | { is: 'plan_refuses_answers'; ms: number }
  | { is: 'token_expires' }
  | { is: 'token_dies'; ms: number }
  | { is: 'list_away'; ms: number; how: 'error' | 'hang' | 'array' }
  | { is: 'purchase_deleted'; document: number }
  | { is: 'database_restarts' }
  | { is: 'database_rewinds'; ms: number }
  | { is: 'database_clock'; ms: number }
  | { is: 'statements_lost'; ms: number }
  | { is: 'batch'; file: number; action: BatchAction }
  | { is: 'lane'; action: 'hold' | 'resume'; kind: 'analysis' | 'cnh' }
  | { is: 'settle'; how: 'truth' | 'drop' }
  | { is: 'erase'; document: number }
  | { is: 'radars_away'; ms: number; how: 'error' | 'hang' | 'null' | 'empty' | 'half' | 'unreadable' }
  | { is: 'sweep_again'; ms: number }
)

export type BatchAction = 'pause' | 'resume' | 'cancel' | 'retry' | 'confirm' | 'limit'
