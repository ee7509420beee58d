import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Inbox, startInbox } from '../../src/batches/inbox/start-inbox.ts'
import type { Home } from '../../src/home/folders.ts'
import { accounts } from '../../src/sandbox/tokens.ts'
import type { Database } from '../../src/store/connect.ts'
import { setupGround } from './ground.ts'
import { kill, startProcess } from './run-process.ts'

export type InboxSetup = AsyncDisposable & {
  home: Home
  sql: Database
  inbox: Inbox
  logged: string[]
  /** Moves the clock forward. */
  pass(ms: number): void
  drop(name: string, content: string | Uint8Array): Promise<void>
  /** Starts another process that watches the same inbox. */
  spawn(env?: Record<string, string>): Promise<ChildProcess>
  batches(): Promise<{ id: bigint; fileName: string; kind: string; organizationId: bigint }[]>
}

/** An inbox without an importer, so that batches stay as they were made. */
export const setupInbox = async ({ watching = true, config = {} } = {}): Promise<InboxSetup> => {
  await using stack = new AsyncDisposableStack()
  const { env, home, sql, tools, logged } = stack.use(await setupGround({ import: { settle: '2s' }, ...config }))
  let now = Date.now()
  const clock = () => new Date(now)
  const idle: Inbox = { scan: async () => {}, stop: async () => {} }
  const inbox = watching ? await startInbox({ ...tools, accounts, clock }) : idle
  stack.defer(() => inbox.stop())
  const processes = stack.adopt([] as ChildProcess[], killAll)
  const opened = stack.move()
  return {
    home,
    sql,
    inbox,
    logged,
    pass(ms) {
      now += ms
    },
    drop: (name, content) => dropFile(home, name, content),
    async spawn(more = {}) {
      const child = startProcess('inbox-process.ts', { ...env, ...more })
      processes.push(child)
      await once(child.stdout!, 'data')
      return child
    },
    batches: () => sql`
      select id, file_name as "fileName", kind, organization_id as "organizationId" from vigia.batch order by id`,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
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

const killAll = async (children: ChildProcess[]): Promise<void> => {
  for (const child of children) await kill(child)
}
