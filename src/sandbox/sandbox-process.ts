import { spawn } from 'node:child_process'
import { mkdir, open, readFile, writeFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../home/free-port.ts'
import { joinHolders } from '../home/holders.ts'

type SandboxProcess = { url: string; release(): Promise<void> }

/**
 * The built-in registry of a home: one process that all Vigia processes of that home share; the last one stops it.
 *
 * It keeps a journal, so that what was bought yesterday is still there today.
 */
export const startSandboxProcess = async (home: string): Promise<SandboxProcess> => {
  const folder = join(home, 'sandbox')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const place = join(folder, 'place.json')
  let running: Place | null = null
  const holding = await joinHolders(folder, async () => {
    running = (await findRunning(place)) ?? (await launch(folder, place))
  })
  const { url, pid } = running as unknown as Place
  return {
    url,
    async release() {
      await holding.release(async () => {
        if (await answers(url)) process.kill(pid, 'SIGTERM')
      })
    },
  }
}

type Place = { url: string; pid: number; port: number }

const findRunning = async (place: string): Promise<Place | null> => {
  const known = await readPlace(place)
  return known && (await answers(known.url)) ? known : null
}

/** The port is kept over restarts, so that a running Vigia finds the restarted sandbox at the same address. */
const launch = async (folder: string, place: string): Promise<Place> => {
  const port = await freePort((await readPlace(place))?.port ?? 0)
  const log = await open(join(folder, 'sandbox.log'), 'a', 0o600)
  const main = join(import.meta.dirname, `main${extname(import.meta.filename)}`)
  const args = [main, '--port', String(port), '--journal', join(folder, 'journal.jsonl')]
  const child = spawn(process.execPath, args, { detached: true, stdio: ['ignore', log.fd, log.fd], env: {} })
  child.unref()
  await log.close()
  const found = { url: `http://127.0.0.1:${port}`, pid: child.pid as number, port }
  await untilAnswers(found.url)
  await writeFile(place, JSON.stringify(found), { mode: 0o600 })
  return found
}

const readPlace = async (place: string): Promise<Place | null> => {
  const text = await readFile(place, 'utf8').catch(() => null)
  return text ? (JSON.parse(text) as Place) : null
}

const untilAnswers = async (url: string): Promise<void> => {
  for (let tries = 0; tries < 200; tries++) {
    if (await answers(url)) return
    await pause(50)
  }
  throw new Error('The built-in sandbox did not start: see sandbox/sandbox.log in VIGIA_HOME')
}

const answers = async (url: string): Promise<boolean> => {
  const reply = await fetch(`${url}/openapi.json`, { signal: AbortSignal.timeout(2_000) }).catch(() => null)
  await reply?.body?.cancel()
  return reply?.ok ?? false
}
