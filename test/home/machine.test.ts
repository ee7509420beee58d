import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir, totalmem } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { loadSettings } from '../../config/settings.ts'
import { checkMachine } from '../../src/cli/commands/doctor.ts'
import { connectionsFor, measureMachine } from '../../src/home/machine.ts'
import { sharedBuffers } from '../../src/store/embedded/launch.ts'

const MIB = 1024 * 1024
const program = resolve(import.meta.dirname, '../../src/cli/vigia.js')
const home = mkdtempSync(join(tmpdir(), 'vigia-machine-'))
const controlGroup = openFolder()
afterAll(() => {
  rmSync(home, { recursive: true })
  if (controlGroup) rmdirSync(controlGroup)
})

test('measures cores and memory, and never more than there is', () => {
  const { cores, memory } = measureMachine()
  expect(cores).toBeGreaterThanOrEqual(1)
  expect(memory).toBeGreaterThan(0)
  expect(memory).toBeLessThanOrEqual(totalmem())
})

test.each([
  [1, 10],
  [2, 10],
  [8, 22],
  [64, 32],
])('with %i cores a process holds up to %i connections', (cores, connections) => {
  expect(connectionsFor({ cores })).toBe(connections)
})

test('DATABASE_POOL sets another number of connections, and is checked like every setting', () => {
  expect(loadSettings({}).databasePool).toBe(null)
  expect(checkMachine(loadSettings({ DATABASE_POOL: '7' })).says).toContain(' 7 connections')
  expect(() => loadSettings({ DATABASE_POOL: '2' })).toThrow(/DATABASE_POOL.* expected a whole number, from 4 to 200/)
})

test.each([
  [256, '32MB'],
  [1_024, '64MB'],
  [262_144, '128MB'],
])('of %i MiB the embedded server takes %s for its pages', (mebibytes, buffers) => {
  expect(sharedBuffers(mebibytes * MIB)).toBe(buffers)
})

test.skipIf(!controlGroup)('the limit of a container bounds the heap, and NODE_OPTIONS sets another bound', () => {
  expect(machineLine()).toMatch(/ 512 MiB of memory by the limit of its container: a heap of 2\d\d MiB at most/)
  expect(machineLine('--max-old-space-size=120')).toMatch(/: a heap of 12\d MiB at most/)
})

const machineLine = (nodeOptions = ''): string => {
  const doctor = `echo $$ > "${controlGroup}/cgroup.procs" && exec "${process.execPath}" "${program}" doctor --json`
  const env = { NODE_OPTIONS: nodeOptions, DATABASE_URL: 'postgres://127.0.0.1:1/none', VIGIA_HOME: home }
  const { stdout } = spawnSync('sh', ['-c', doctor], { env, encoding: 'utf8' })
  const { findings } = JSON.parse(stdout) as { findings: { check: string; says: string }[] }
  return findings.find(({ check }) => check === 'machine')!.says
}

/** A control group of 512 MiB, in version 2 or 1; creating one may not be permitted. */
function openFolder(): string | undefined {
  const name = `vigia-test-${process.pid}`
  const ways = [
    ['/sys/fs/cgroup/memory', 'memory.limit_in_bytes'],
    ['/sys/fs/cgroup', 'memory.max'],
  ] as const
  for (const [base, limit] of ways) {
    const folder = join(base, name)
    try {
      mkdirSync(folder, { recursive: true })
      if (!existsSync(join(folder, limit))) throw new Error(`no ${limit}`)
      writeFileSync(join(folder, limit), String(512 * MIB))
      return folder
    } catch {
      try {
        rmdirSync(folder)
      } catch {}
    }
  }
  return undefined
}
