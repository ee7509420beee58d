import { statfs } from 'node:fs/promises'
import { Gauge, Histogram, Registry } from '@prometheus-io/client'
import type { FastifyInstance } from 'fastify'
import { heldLanes } from '../store/fleet/lanes.ts'
import { countLiveWorkers, listWorkers } from '../store/fleet/workers.ts'
import { countUnknownOutcomes } from '../store/lookups/lookups.ts'
import { lastSweeps } from '../store/radars/sweeps.ts'
import { readVacuumHolder } from '../store/server-state.ts'
import { readObjective } from '../views/sweep.ts'
import { readFigures } from '../views/usage.ts'
import type { Site } from './site/site.ts'

const cacheMs = 15_000

/** Metrics for Prometheus, without personal data. They query the database at most every 15 s. */
export const addMetrics = (app: FastifyInstance, site: Site): void => {
  let text = ''
  let readAt = Number.NEGATIVE_INFINITY
  app.get('/metrics', { config: { role: 'everyone' } }, async (_, reply) => {
    if (performance.now() - readAt > cacheMs) {
      readAt = performance.now()
      text = await describe(site)
    }
    return reply
      .type('text/plain; version=0.0.4; charset=utf-8')
      .send(text + (await site.registryFigures.metrics.metrics()))
  })
}

const describe = async (site: Site): Promise<string> => {
  const registry = new Registry()
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name: `vigia_${name}`, help, labelNames, registers: [registry] })
  const { sql, clock } = site
  const now = clock().getTime()
  const age = (moment: Date | null) => (moment ? Math.max(0, (now - moment.getTime()) / 1000) : 0)
  const { timezone, radarSweep } = site.settings
  const [figures, holds, workers, alive, sweeps, unknownOutcomes, nights, holder] = await Promise.all([
    readFigures(sql),
    heldLanes(sql),
    listWorkers(sql),
    countLiveWorkers(sql),
    lastSweeps(sql),
    countUnknownOutcomes(sql),
    readObjective(sql, { now: clock(), timezone, ...radarSweep }),
    readVacuumHolder(sql),
  ])

  gauge('charged_units', 'Units reserved or charged, ever').set(figures.charged)
  gauge(
    'purchases_contradicted_total',
    'Bought although the registry named an earlier purchase that no list had shown',
  ).set(figures.contradicted)
  gauge('in_doubt_rows', 'Paid calls with an unknown outcome: not judged yet, or parked for a person').set(
    unknownOutcomes,
  )
  const due = gauge('lookups_due', 'Look-ups that wait for their next step (counted up to 200,000)', ['kind', 'state'])
  const oldest = gauge('oldest_due_seconds', 'How long the longest overdue look-up has been due, without held lanes', [
    'kind',
    'state',
  ])
  for (const { kind, state, lookups, oldest: since } of figures.due) {
    due.set({ kind, state }, lookups)
    oldest.set({ kind, state }, age(since))
  }
  const waiting = gauge(
    'lookups_waiting',
    'Look-ups that wait for their answer, by the status that was seen last (counted up to 200,000)',
    ['kind', 'status'],
  )
  for (const { kind, status, lookups } of figures.statuses) waiting.set({ kind, status }, lookups)
  const ended = gauge('rows_ended', 'Rows of all stored batches by outcome', ['state'])
  for (const { state, rows } of figures.ended) ended.set({ state }, rows)
  const open = gauge('batches_open', 'Batches that are not finished', ['state'])
  for (const { state, batches } of figures.batches) open.set({ state }, batches)
  const held = gauge('lane_held_seconds', 'How long a lane has been held', ['organization', 'kind', 'cause'])
  for (const { organizationId, kind, cause, heldAt } of holds)
    held.set({ organization: String(organizationId), kind, cause }, age(heldAt))
  gauge('workers', 'Workers that are alive').set(alive)
  gauge('requests_open', 'Requests open at the registry, over all workers').set(
    workers.reduce((sum, each) => sum + each.open, 0),
  )
  gauge('requests_bound', 'Requests that may be open, over all workers').set(
    workers.reduce((sum, each) => sum + each.share, 0),
  )
  const swept = gauge('sweep_age_seconds', 'Time since the last run of a recurring task began', ['name', 'state'])
  for (const { name, state, startedAt } of sweeps) swept.set({ name, state }, age(startedAt))
  gauge('nights', 'Nights of the last 90 on which radars were to be swept').set(nights.nights)
  gauge('nights_verified', 'Those of them on which every radar was verified by 06:00; the objective is 99 %').set(
    nights.kept,
  )
  const kept = gauge('vacuum_held_transactions', 'Transactions since the oldest one that keeps old row versions', [
    'by',
  ])
  if (holder) kept.set({ by: holder.name }, holder.transactions)
  const disk = await statfs(site.home.path).catch(() => null)
  if (disk) gauge('disk_free_bytes', 'Free on the disk of the data folder').set(disk.bavail * disk.bsize)
  return registry.metrics()
}

/** The metrics of this process, first of all how the registry answered this worker since it started. */
export const createRegistryFigures = () => {
  const metrics = new Registry()
  const seconds = new Histogram({
    name: 'vigia_registry_request_seconds',
    help: 'Requests of this worker to the registry, by operation and outcome',
    labelNames: ['operation', 'outcome'],
    buckets: [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
    registers: [metrics],
  })
  const observe = (exchange: { operation: string; outcome: string; seconds: number }): void => {
    const { seconds: took, ...labels } = exchange
    seconds.observe(labels, took)
  }
  return { metrics, observe }
}
