import { execFileSync } from 'node:child_process'
import { mkdir, readdir, readFile, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { exportBatch as job } from '../../jobs/export-batch.ts'
import { exportBatch } from '../../src/batches/export.ts'
import { readBatch } from '../../src/store/batches/batches.ts'
import { cpfs, csvOf } from '../support/documents.ts'
import { until } from '../support/until.ts'
import { answerAll } from './answers.ts'
import { setupGround } from './ground.ts'
import { longestPartMs, type Measured, slackMiB } from './measure-process.ts'
import { kill, runProcess, startProcess } from './run-process.ts'

const now = new Date(0)
const isPart = (name: string) => name.endsWith('.part')

test('an export that is killed half-way leaves only parts, and the next one completes', async () => {
  await using t = await setupGround()
  const batch = await t.imported(csvOf(cpfs(60_000)))
  await answerAll(t.sql, batch.id)
  const folder = join(t.home.outbox, 'killed')
  const env = { ...t.env, BATCH: String(batch.id), FOLDER: folder }
  const child = startProcess('export-process.ts', env)
  await until(async () => (await readdir(folder).catch(() => [])).some(isPart))
  await kill(child)
  const left = await readdir(folder)
  expect(left.length).toBeGreaterThan(0)
  expect(left.every(isPart)).toBe(true)
  for (const part of left) await utimes(join(folder, part), 0, 0)

  await runProcess('export-process.ts', env)

  expect((await readdir(folder)).sort()).toEqual(['people.manifest.json', 'people.rejects.csv', 'people.report.csv'])
  const again = await exportBatch(t.sql, batch.id, { folder: `${folder}-2`, now, settings: t.settings })
  expect(await readFile(join(folder, 'people.report.csv'))).toEqual(await readFile(again.report))
})

/** Mounting needs a superuser; elsewhere there is no disk that is small enough to fill. */
const canMount = process.platform === 'linux' && process.getuid?.() === 0

test.runIf(canMount)('a full disk shows nothing half-written, and the export is tried again', async () => {
  await using t = await setupGround()
  const batch = await t.imported(csvOf(['junk', ...cpfs(2_000)]))
  await answerAll(t.sql, batch.id)
  await t.sql`update vigia.batch set finished_at = ${new Date()}, state = 'done' where id = ${batch.id}`
  const folder = join(t.home.outbox, `people.${batch.id}`)
  await mkdir(folder)
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', folder])
  try {
    await expect(job.work({ batchId: String(batch.id) }, t.tools)).rejects.toMatchObject({ code: 'ENOSPC' })
    expect(await readdir(folder)).toEqual([])
    expect((await readBatch(t.sql, batch.id))?.exportedAt).toBeNull()

    execFileSync('mount', ['-o', 'remount,size=16m', folder])
    await job.work({ batchId: String(batch.id) }, t.tools)

    expect(await readdir(folder)).toHaveLength(3)
    expect((await readBatch(t.sql, batch.id))?.exportedAt).toBeInstanceOf(Date)
  } finally {
    execFileSync('umount', [folder])
  }
})

test('an export takes flat memory and never holds up the event loop', async () => {
  await using t = await setupGround()
  const measure = async (rows: number) => {
    const batch = await t.imported(csvOf(cpfs(rows)))
    await answerAll(t.sql, batch.id)
    const env = { ...t.env, BATCH: String(batch.id), FOLDER: join(t.home.outbox, String(batch.id)) }
    return runProcess<Measured>('export-process.ts', env)
  }

  const small = await measure(100_000)
  const large = await measure(300_000)

  expect(large.longestTurnMs).toBeLessThan(longestPartMs)
  expect(large.peakMiB).toBeLessThan(256)
  expect(large.peakMiB).toBeLessThan(small.peakMiB + slackMiB)
})
