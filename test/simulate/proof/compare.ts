import type { Database, Sql } from '../../../src/store/connect.ts'
import type { ModelDatabase } from '../store/database.ts'

/** What the database dates by its own clock differs by the time that a statement takes. */
const byDatabaseClock = new Set(['beganAt', 'endedAt'])
/** English text beside a message, and what the model leaves out. */
const leftOut = new Set(['stops'])

/** A value in a form that two databases can be compared by. */
export const plain = (value: unknown, isUnordered = false): unknown => {
  if (typeof value === 'bigint') return String(value)
  if (value instanceof Date) return value.toISOString()
  if (value instanceof Map) return plain([...value], true)
  if (Array.isArray(value)) {
    const list = value.map((each) => plain(each))
    return isUnordered ? list.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)) : list
  }
  if (typeof value !== 'object' || value === null) return value ?? null
  const entries = Object.entries(value)
    .filter(([key]) => !leftOut.has(key))
    .map(([key, each]) => [key, byDatabaseClock.has(key) && each !== null ? 'a moment' : plain(each)])
  return Object.fromEntries(entries.sort(([a], [b]) => ((a as string) < (b as string) ? -1 : 1)))
}

const moment = (column: string): string => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

const table = (name: string, columns: Record<string, string>, from: string): string => {
  const pairs = Object.entries(columns).map(([key, column]) => `'${key}', ${column}`)
  const text = `json_build_object(${pairs.join(', ')})::text`
  return `'${name}', (select coalesce(json_agg(line order by line collate "C"), '[]') from (select ${text} as line from ${from}) as lines)`
}

const query = `select json_build_object(${[
  table(
    'lookups',
    {
      id: 'id::text',
      question: 'question',
      batchId: 'batch_id::text',
      heirOf: 'heir_of::text',
      state: 'state',
      current: 'current',
      dueAt: moment('due_at'),
      deadlineAt: moment('deadline_at'),
      attempts: 'attempts',
      polls: 'polls',
      workerDeaths: 'worker_deaths',
      sentAt: moment('sending_at'),
      unlistedAt: moment('unlisted_at'),
      refusedAs: 'refused_as',
      adoptedAt: moment('adopted_at'),
      snapshotId: 'list_snapshot_id::text',
      remoteId: 'remote_id',
      remoteKey: 'remote_key',
      documentType: 'document_type',
      charged: 'charged',
      seen: 'seen',
      message: 'message::text',
      finishedAt: moment('finished_at'),
    },
    'vigia.lookup',
  ),
  table(
    'intents',
    { id: 'lookup_id::text', sentAt: moment('sent_at'), snapshotId: 'list_snapshot_id::text' },
    'vigia.intent',
  ),
  table('claims', { jobId: 'job_id::text', state: 'state' }, 'vigia.claim'),
  table(
    'batches',
    {
      id: 'id::text',
      state: 'state',
      pausedAt: moment('paused_at'),
      maxSpend: 'max_spend',
      confirmAbove: 'confirm_above',
      toBePaid: 'to_be_paid',
      adopted: 'adopted',
      counted: 'counted',
      spent: 'spent',
      finishedAt: moment('finished_at'),
    },
    'vigia.batch',
  ),
  table(
    'rows',
    { batchId: 'batch_id::text', line: 'line', lookupId: 'lookup_id::text', pays: 'pays', cancelled: 'cancelled' },
    'vigia.batch_row',
  ),
  table('counts', { batchId: 'batch_id::text', state: 'state', rows: 'rows' }, 'vigia.batch_count'),
  table(
    'lanes',
    { kind: 'kind', cause: 'cause', message: 'message::text', trialAt: moment('trial_at'), trials: 'trials' },
    'vigia.lane',
  ),
  table(
    'purchases',
    {
      remoteId: 'remote_id',
      document: 'document',
      dated: 'dated',
      datedTo: moment('dated_to'),
      deleted: 'deleted',
      snapshotId: 'list_snapshot_id::text',
      lookupId: 'lookup_id::text',
      isErased: 'person_key is not null',
      boughtAt: moment('bought_at'),
    },
    'vigia.purchase',
  ),
  table(
    'snapshots',
    {
      id: 'id::text',
      complete: 'complete',
      lacks: 'lacks',
      misdated: 'misdated',
      items: 'items',
      limit: 'list_limit',
      hasEnded: 'ended_at is not null',
      problem: 'message::text',
    },
    'vigia.list_snapshot',
  ),
  table('days', { day: 'day::text', units: 'units' }, 'vigia.spending_day'),
  table(
    'sweeps',
    { id: 'id::text', state: 'state', due: 'due', failures: 'failures', finishedAt: moment('finished_at') },
    'vigia.sweep',
  ),
  table(
    'organizations',
    {
      sweepId: 'sweep_id::text',
      organizationId: 'organization_id::text',
      list: 'list',
      message: 'message::text',
      triedAt: moment('tried_at'),
      totals: 'totals',
    },
    'vigia.sweep_organization',
  ),
  table(
    'radars',
    { document: 'document', name: 'name', active: 'active', removedAt: moment('removed_at') },
    'vigia.radar',
  ),
  table('suspicious', { message: 'message::text', radars: 'jsonb_array_length(radars)' }, 'vigia.suspicious_list'),
  table(
    'radarSnapshots',
    {
      sweepId: 'sweep_id::text',
      document: 'document',
      tries: 'tries',
      processesLookupId: 'processes_lookup_id::text',
      analysisLookupId: 'analysis_lookup_id::text',
      processes: 'processes',
      counts: 'counts',
      cents: 'cents::text[]',
      totalRisk: 'total_risk',
      totalAnalyzed: 'total_analyzed',
      moved: 'moved',
      verifiedAt: moment('verified_at'),
      message: 'message::text',
    },
    'vigia.snapshot',
  ),
  table(
    'changes',
    {
      sweepId: 'sweep_id::text',
      document: 'document',
      field: 'field',
      verdict: 'verdict',
      before: 'before',
      after: 'after',
      weight: 'weight::text',
    },
    'vigia.change',
  ),
].join(', ')}) as state`

type State = Record<string, string[]>

/** What stands in the tables of PostgreSQL, as text. */
export const stateOf = async (sql: Sql | Database): Promise<State> => {
  const [row] = await sql.unsafe<{ state: State }[]>(query)
  return Object.fromEntries(Object.entries(row!.state).map(([name, lines]) => [name, lines.map(canonical).sort()]))
}

const canonical = (line: string): string => {
  const parsed = JSON.parse(line) as Record<string, unknown>
  return JSON.stringify(Object.fromEntries(Object.entries(parsed).map(([key, value]) => [key, messageOf(key, value)])))
}

const messageOf = (key: string, value: unknown): unknown =>
  (key === 'message' || key === 'problem') && typeof value === 'string' ? JSON.parse(value) : value

const iso = (date: Date | null): string | null => date?.toISOString() ?? null
const text = (id: bigint | null): string | null => (id === null ? null : String(id))

/** The same of the model. */
export const stateOfModel = ({ tables }: ModelDatabase): State => {
  const lines = {
    lookups: [...tables.lookups.values()].map((l) => ({
      id: text(l.id),
      question: l.question,
      batchId: text(l.batchId),
      heirOf: text(l.heirOf),
      state: l.state,
      current: l.current,
      dueAt: iso(l.dueAt),
      deadlineAt: iso(l.deadlineAt),
      attempts: l.attempts,
      polls: l.polls,
      workerDeaths: l.workerDeaths,
      sentAt: iso(l.sentAt),
      unlistedAt: iso(l.unlistedAt),
      refusedAs: l.refusedAs,
      adoptedAt: iso(l.adoptedAt),
      snapshotId: text(l.snapshotId),
      remoteId: l.remoteId,
      remoteKey: l.remoteKey,
      documentType: l.documentType,
      charged: l.charged,
      seen: l.seen,
      message: l.message,
      finishedAt: iso(l.finishedAt),
    })),
    intents: [...tables.intents.values()].map((i) => ({
      id: text(i.lookupId),
      sentAt: iso(i.sentAt),
      snapshotId: text(i.snapshotId),
    })),
    claims: [...tables.claims.values()].map(({ jobId, state }) => ({ jobId, state })),
    batches: [...tables.batches.values()].map((b) => ({
      id: text(b.id),
      state: b.state,
      pausedAt: iso(b.pausedAt),
      maxSpend: b.maxSpend,
      confirmAbove: b.confirmAbove,
      toBePaid: b.toBePaid,
      adopted: b.adopted,
      counted: b.counted,
      spent: b.spent,
      finishedAt: iso(b.finishedAt),
    })),
    rows: [...tables.rows.values()].flat().map((r) => ({
      batchId: text(r.batchId),
      line: r.line,
      lookupId: text(r.lookupId),
      pays: r.pays,
      cancelled: r.cancelled,
    })),
    counts: [...tables.counts].flatMap(([id, counts]) =>
      [...counts].map(([state, rows]) => ({ batchId: text(id), state, rows })),
    ),
    lanes: [...tables.lanes.values()].map(({ kind, cause, message, trialAt, trials }) => ({
      kind,
      cause,
      message,
      trialAt: iso(trialAt),
      trials,
    })),
    purchases: [...tables.purchases.values()].map((p) => ({
      remoteId: p.remoteId,
      document: p.document,
      dated: p.dated,
      datedTo: iso(p.datedTo),
      deleted: p.deleted,
      snapshotId: text(p.snapshotId),
      lookupId: text(p.lookupId),
      isErased: p.personKey !== null,
      boughtAt: iso(p.boughtAt),
    })),
    snapshots: [...tables.snapshots.values()].map((s) => ({
      id: text(s.id),
      complete: s.complete,
      lacks: s.lacks,
      misdated: s.misdated,
      items: s.items,
      limit: s.limit,
      hasEnded: s.endedAt !== null,
      problem: s.problem,
    })),
    days: [...tables.days].map(([day, units]) => ({ day, units })),
    ...nightsOfModel(tables),
  }
  return Object.fromEntries(
    Object.entries(lines).map(([name, list]) => [name, list.map((line) => JSON.stringify(line)).sort()]),
  )
}

const nightsOfModel = (tables: ModelDatabase['tables']) => ({
  sweeps: [...tables.sweeps.values()].map(({ id, state, due, failures, finishedAt }) => ({
    id: text(id),
    state,
    due,
    failures,
    finishedAt: iso(finishedAt),
  })),
  organizations: [...tables.sweepOrganizations.values()].map((o) => ({
    sweepId: text(o.sweepId),
    organizationId: text(o.organizationId),
    list: o.list,
    message: o.message,
    triedAt: iso(o.triedAt),
    totals: o.totals,
  })),
  radars: [...tables.radars.values()].map(({ document, name, active, removedAt }) => ({
    document,
    name,
    active,
    removedAt: iso(removedAt),
  })),
  suspicious: [...tables.suspicious.values()].map(({ message, radars }) => ({ message, radars: radars.length })),
  radarSnapshots: [...tables.radarSnapshots.values()].map((s) => ({
    sweepId: text(s.sweepId),
    document: s.document,
    tries: s.tries,
    processesLookupId: text(s.processesLookupId),
    analysisLookupId: text(s.analysisLookupId),
    processes: s.processes,
    counts: s.counts,
    cents: s.cents?.map(text) ?? null,
    totalRisk: s.totalRisk,
    totalAnalyzed: s.totalAnalyzed,
    moved: s.moved,
    verifiedAt: iso(s.verifiedAt),
    message: s.message,
  })),
  changes: [...tables.changes.values()].map(({ sweepId, document, field, verdict, before, after, weight }) => ({
    sweepId: text(sweepId),
    document,
    field,
    verdict,
    before,
    after,
    weight: text(weight),
  })),
})
