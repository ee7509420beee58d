import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { freePort } from '../../src/home/free-port.ts'
import { until } from '../support/until.ts'

const program = resolve(import.meta.dirname, '../../src/cli/vigia.js')

/** Every process of this machine that was started for the home. */
const processesOf = (home: string): string[] =>
  readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(home)
    } catch {
      return false
    }
  })

test.skipIf(process.platform !== 'linux')(
  'a worker serves its page, and a signal leaves no process and no socket behind',
  async () => {
    const home = await mkdtemp(join(tmpdir(), 'vigia-worker-'))
    await chmod(home, 0o755)
    const url = `http://127.0.0.1:${await freePort()}`
    const env = { PATH: process.env.PATH, VIGIA_HOME: home, PORT: new URL(url).port, LOG_LEVEL: 'warn' }
    await mkdir(join(home, 'demo/postgres'), { recursive: true })
    const worker = spawn(process.execPath, [program, 'worker'], { env, stdio: ['ignore', 'pipe', 'inherit'] })
    const ended = once(worker, 'exit')
    const [lines] = await once(worker.stdout, 'data')
    expect(String(lines)).toContain(`; home ${home}\nThe demo has a home of its own: VIGIA_HOME=`)
    expect(await (await fetch(`${url}/readyz`)).status).toBe(200)
    expect(processesOf(home).length).toBeGreaterThan(1)

    const began = performance.now()
    worker.kill('SIGTERM')
    const [code] = await ended
    expect(code).toBe(0)
    expect(performance.now() - began).toBeLessThan(30_000)
    await until(async () => processesOf(home).length === 0, 10_000)
    await expect(fetch(`${url}/healthz`)).rejects.toThrow()
    await rm(home, { recursive: true, force: true })
  },
)
