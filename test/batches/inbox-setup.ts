import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import { type Inbox, startInbox } from '../../src/batches/inbox/start-inbox.ts'
import type { Home } from '../../src/home/folders.ts'
import { accounts } from '../../src/sandbox/tokens.ts'
import { type Ground, setupGround, sharedGround } from './ground.ts'
import { kill, startProcess } from './run-process.ts'

export type InboxSetup = Ground & OpenInbox

type OpenInbox = AsyncDisposable & {
  inbox: Inbox
  /** Moves the clock forward. */
  pass(ms: number): void
  drop(name: string, content: string | Uint8Array): Promise<void>
  /** Scans the inbox until its files are still. */
  settle(): Promise<void>
  /** Starts another process that watches the same inbox. */
  spawn(env?: Record<string, string>): Promise<ChildProcess>
  batches(): Promise<{ id: bigint; fileName: string; kind: string; organizationId: bigint }[]>
}

const settle = { import: { settle: '2s' } }

/** An inbox without an importer, so that batches stay as they were made. */
export const setupInbox = async ({ watching = true, config = {} } = {}): Promise<InboxSetup> => {
  const ground = await setupGround({ ...settle, ...config })
  const inbox = await openInbox(ground, watching)
  const close = () => inbox[Symbol.asyncDispose]().then(() => ground[Symbol.asyncDispose]())
  return { ...ground, ...inbox, [Symbol.asyncDispose]: close }
}

/** One for each test of a file, all on one database. */
export const sharedInbox = (): InboxSetup => {
  const ground = sharedGround(settle)
  let opened: OpenInbox
  beforeEach(async () => {
    opened = await openInbox(ground, true)
  })
  afterEach(() => opened[Symbol.asyncDispose]())
  return new Proxy({} as InboxSetup, { get: (_, name) => Reflect.get(name in opened ? opened : ground, name) })
}

const openInbox = async (ground: Ground, watching: boolean): Promise<OpenInbox> => {
  const { env, home, sql, tools } = ground
  let now = Date.now()
  const clock = () => new Date(now)
  const idle: Inbox = { scan: async () => {}, stop: async () => {} }
  const inbox = watching ? await startInbox({ ...tools, accounts, clock }) : idle
  const processes: ChildProcess[] = []
  const pass = (ms: number) => {
    now += ms
  }
  return {
    inbox,
    pass,
    drop: (name, content) => dropFile(home, name, content),
    async settle() {
      await inbox.scan()
      pass(2_000)
      await inbox.scan()
    },
    async spawn(more = {}) {
      const child = startProcess('inbox-process.ts', { ...env, ...more })
      processes.push(child)
      await once(child.stdout!, 'data')
      return child
    },
    batches: () => sql`
      select id, file_name, kind, organization_id from vigia.batch order by id`,
    async [Symbol.asyncDispose]() {
      for (const child of processes) await kill(child)
      await inbox.stop()
    },
  }
}

/** As careful programs do it: under another name first. */
const dropFile = async ({ inbox }: Home, name: string, content: string | Uint8Array): Promise<void> => {
  await mkdir(join(inbox, name, '..'), { recursive: true })
  await writeFile(join(inbox, `${name}.part`), content)
  await rename(join(inbox, `${name}.part`), join(inbox, name))
}

/** Every file below a folder; a folder may disappear meanwhile. */
export const filesBelow = async (folder: string): Promise<string[]> => {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  const names = entries.map((entry) => (entry.isDirectory() ? filesBelow(join(folder, entry.name)) : [entry.name]))
  return (await Promise.all(names)).flat()
}
