import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const unit = readFileSync(resolve(import.meta.dirname, '../../ops/vigia.service'), 'utf8')
const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0

test.skipIf(!hasSystemd)('systemd reports no problem with the unit', () => {
  const folder = mkdtempSync(join(tmpdir(), 'vigia-unit-'))
  const file = join(folder, 'vigia.service')
  writeFileSync(file, unit.replace('/usr/local/bin/vigia', process.execPath.replaceAll(' ', '\\x20')))
  const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', file], { encoding: 'utf8' })
  const ofOurs = stderr.split('\n').filter((line) => line.includes('vigia'))
  expect({ status, ofOurs }).toEqual({ status: 0, ofOurs: [] })
  rmSync(folder, { recursive: true })
})

test('a failed worker is restarted, unless its settings are wrong, and has time to drain', () => {
  expect(unit).toMatch(/^Restart=on-failure$/m)
  expect(unit).toMatch(/^RestartPreventExitStatus=2$/m)
  expect(unit).toMatch(/^TimeoutStopSec=40s$/m)
})

test('the unit can change nothing on the machine except its own state', () => {
  for (const line of ['ProtectSystem=strict', 'ProtectHome=yes', 'NoNewPrivileges=yes', 'StateDirectory=vigia'])
    expect(unit.split('\n')).toContain(line)
})
