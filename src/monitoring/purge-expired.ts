import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { removeAbandonedDownloads } from '../batches/download-folder.ts'
import { outboxFolder } from '../batches/export.ts'
import { localDay } from '../domain/calendar.ts'
import { assignPayers, cancelQueued } from '../store/batches/payers.ts'
import { dropUploads } from '../store/batches/uploads.ts'
import {
  cancelUnconfirmed,
  deleteBatch,
  deleteLookups,
  deleteSweeps,
  deleteTraces,
  deleteUnasked,
  findExpiredBatches,
  findUnconfirmed,
  forgetErased,
} from '../store/people/purge.ts'
import { forgetOldListSnapshots } from '../store/purchases/list-snapshots.ts'
import type { MonitoringTools } from './monitoring-tools.ts'
import type { SweepOutcome } from './sweep.ts'

const chunkSize = 10_000
const day = 86_400_000

type Tools = Pick<MonitoringTools, 'sql' | 'home' | 'clock' | 'settings'>

/**
 * Deletes what is older than its retention: batches with their files and reports, batches that nobody ever approved,
 * rejected files, answers, and snapshots.
 *
 * A report is deleted before its batch, so that an interrupted purge finds it again. Spending per day and usage per day
 * are the accounting, and stay.
 */
export const purgeExpired = async (tools: Tools): Promise<SweepOutcome> => {
  const { sql, clock, settings } = tools
  const { retention } = settings
  const ago = (ms: number) => new Date(clock().getTime() - ms)
  const batches =
    (await purgeBatches(tools, ago(retention.batches))) + (await purgeUnconfirmed(tools, ago(retention.unconfirmed)))
  const lookups = await purgeLookups(tools, ago(retention.lookups))
  const sweeps = await deleteSweeps(sql, { radars: ago(retention.lookups), others: ago(30 * day) })
  await deleteTraces(sql, ago(retention.lookups))
  for (const kind of ['analysis', 'cnh'] as const) await forgetErased(sql, kind, ago(settings.forKind[kind].freshness))
  await dropUploads(sql, { sent: ago(day), rejected: ago(retention.unconfirmed) })
  await forgetOldListSnapshots(sql, ago(30 * day))
  const files =
    (await purgeChangesFiles(tools, localDay(ago(retention.lookups), settings.timezone))) +
    (await purgeDifferences(tools, ago(retention.lookups))) +
    (await purgeArchive(tools, ago(retention.batches))) +
    (await removeAbandonedDownloads(clock()))
  return { detail: { batches, lookups, sweeps, files } }
}

const purgeBatches = async ({ sql, home }: Tools, before: Date): Promise<number> => {
  let purged = 0
  for (;;) {
    const expired = await findExpiredBatches(sql, before, 100)
    for (const batch of expired) {
      await rm(outboxFolder(home, batch), { recursive: true, force: true })
      await sql.begin((tx) => deleteBatch(tx, batch, before))
    }
    purged += expired.length
    if (expired.length === 0) return purged
  }
}

/** Look-ups that another batch wants too move to that batch. Those that nobody else wants were never asked. */
const purgeUnconfirmed = async ({ sql, home, clock }: Tools, before: Date): Promise<number> => {
  const expired = await findUnconfirmed(sql, before)
  for (const batch of expired) {
    await rm(outboxFolder(home, batch), { recursive: true, force: true })
    await sql.begin(async (tx) => {
      if (!(await cancelUnconfirmed(tx, batch.id, before))) return
      await assignPayers(tx, { batch: batch.id })
      await cancelQueued(tx, batch.id, clock())
      await deleteUnasked(tx, batch)
    })
  }
  return expired.length
}

const purgeLookups = async ({ sql }: Tools, before: Date): Promise<number> => {
  let purged = 0
  for (;;) {
    const deleted = await deleteLookups(sql, before, chunkSize)
    purged += deleted
    if (deleted < chunkSize) return purged
  }
}

const purgeChangesFiles = async ({ home }: Tools, before: string): Promise<number> => {
  const names = await readdir(home.outbox)
  const old = names.filter((name) => {
    const written = /^changes-(\d{4}-\d{2}-\d{2})\.csv$/.exec(name)?.[1]
    return written !== undefined && written < before
  })
  for (const name of old) await rm(join(home.outbox, name), { force: true })
  return old.length
}

/** The file of differences carries the name of its portfolio, so its age is that of the file. */
const purgeDifferences = async ({ home }: Tools, before: Date): Promise<number> => {
  const names = (await readdir(home.outbox)).filter((name) => /^differences-.+-\d+\.csv$/.test(name))
  return purgeFiles(
    names.map((name) => join(home.outbox, name)),
    before,
  )
}

/** Dropped files are kept as long as their batch. */
const purgeArchive = async ({ home }: Tools, before: Date): Promise<number> => {
  const entries = await readdir(home.archive, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  return purgeFiles(files, before)
}

const purgeFiles = async (paths: string[], before: Date): Promise<number> => {
  let purged = 0
  for (const path of paths) {
    if ((await stat(path)).mtime >= before) continue
    await rm(path, { force: true })
    purged++
  }
  return purged
}
