import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect } from 'vitest'
import { connect } from '../../src/store/connect.ts'
import { findPostmaster, stopPostmaster } from '../../src/store/embedded/launch.ts'
import { canEnter } from '../../src/store/embedded/place.ts'
import { type Embedded, startEmbedded } from '../../src/store/embedded/start-embedded.ts'

export const isRoot = process.getuid?.() === 0
/** An ordinary user that every machine has. */
export const NOBODY = { uid: 65_534, gid: 65_534 }

/** Whether a test may start processes as that user: it must be able to read this checkout. */
export const canBeNobody =
  isRoot && (await canEnter(NOBODY, import.meta.dirname)) && (await canEnter(NOBODY, dirname(process.execPath)))

/** A home of its own, and an end in which no process and no file of it is left. */
export const setup = async () => {
  const home = await mkdtemp(join(tmpdir(), 'vigia-embedded-'))
  await chmod(home, 0o755)
  const servers: Embedded[] = []
  const children: ChildProcess[] = []
  return {
    home,
    async start(options: { home?: string; starting?: () => void } = {}): Promise<Embedded> {
      const server = await startEmbedded({ home, ...options })
      servers.push(server)
      return server
    },
    async startProcess(options: SpawnOptions = {}) {
      const started = await startProcess(home, options)
      children.push(started.child)
      return started
    },
    adopt(child: ChildProcess) {
      children.push(child)
    },
    async [Symbol.asyncDispose]() {
      for (const child of children) child.kill('SIGKILL')
      for (const server of servers) {
        await server.release()
        await stopPostmaster(server.data)
        await rm(dirname(server.data), { recursive: true, force: true })
      }
      await rm(home, { recursive: true, force: true })
    },
  }
}

export const run = async (url: string, statement: string): Promise<object[]> => {
  const sql = connect(url, { max: 1 })
  try {
    return [...(await sql.unsafe(statement))]
  } finally {
    await sql.end()
  }
}

export const serverOf = ({ data }: { data: string }) => {
  const server = findPostmaster(data)
  if (!server) throw new Error(`no server on ${data}`)
  return server
}

const startProcess = async (home: string, options: SpawnOptions) => {
  const program = join(import.meta.dirname, 'embedded-process.ts')
  const child = spawn(process.execPath, [program, home], {
    stdio: ['pipe', 'pipe', 'inherit'],
    detached: true,
    cwd: '/',
    ...options,
  })
  const ended = once(child, 'exit').then(() => [''])
  const [line] = (await Promise.race([once(child.stdout ?? child, 'data'), ended])) as [Buffer | string]
  expect(line).not.toBe('')
  const end = async () => {
    child.stdin?.end()
    expect(await once(child, 'exit')).toEqual([0, null])
  }
  return { child, url: line.toString().trim(), end }
}
