import { execFile } from 'node:child_process'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { cpfs } from '../../support/documents.ts'
import { leftovers } from '../check-files.ts'
import { check } from '../checker.ts'
import { outcomeOf, type Scenario, unlessOk } from '../scenario.ts'

const run = promisify(execFile)

/** The disk is full when the report is written: no partial file appears, and once there is space the report is complete. */
export const diskFull: Scenario = {
  name: 'disk-full',
  size: '1,500 documents on a disk of 128 KiB',
  async run({ open }) {
    await using arena = await open()
    const outbox = join(arena.home, 'vigia', 'outbox')
    await mkdir(outbox, { recursive: true })
    const full = await mountSmall(outbox, '128k')
    if (!full)
      return { problems: [], figures: {}, skipped: 'a small disk can only be mounted as root with that privilege' }
    await using _unmount = { [Symbol.asyncDispose]: async () => void (await run('umount', ['-l', outbox])) }
    await arena.fleet.startMany(1)
    await arena.submit(cpfs(1_500))
    const refusal = async () => (await readFile(arena.fleet.logs[0]!, 'utf8')).includes('ENOSPC')
    await arena.until(refusal)
    const halves = await leftovers(arena)
    await run('mount', ['-o', 'remount,size=32m', outbox])
    await arena.finished()
    const findings = await check(arena)
    return outcomeOf(findings, { 'half-written files': halves }, [
      ...unlessOk(findings),
      halves > 3 && `${halves} half-written files are in the outbox`,
    ])
  },
}

const mountSmall = async (folder: string, size: string): Promise<boolean> => {
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=700`, 'tmpfs', folder])
    return true
  } catch {
    return false
  }
}
