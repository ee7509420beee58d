import { watch } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { claimFile, type DroppedFile, findFiles, type InboxPlace, placesIn, takeOverClaims } from './claim-file.ts'
import { type InboxTools, takeFile } from './take-file.ts'

export type Inbox = {
  /** Scans the inbox now, after a scan that is under way. The watcher and the timer scan by themselves. */
  scan(): Promise<void>
  /** Takes no further files and waits for the current one. */
  stop(): Promise<void>
}

/**
 * Watches the inbox and makes a batch of each file that no longer changes.
 *
 * Events get lost on network disks and busy machines, so a timer scans too, and an event only starts a scan early. A
 * library that reports what changed would read the folder at each event.
 */
export const startInbox = async (tools: InboxTools): Promise<Inbox> => {
  const { home, settings, accounts, log } = tools
  const places = placesIn(accounts)
  await openFolders(tools, places)
  const stillness = createStillness(settings.import.settle)
  const stopping = new AbortController()
  let looking: Promise<number> = Promise.resolve(0)
  const look = () => {
    looking = looking.catch(() => 0).then(() => lookOnce(tools, places, stillness, stopping.signal))
    return looking
  }
  let changed = Promise.withResolvers<void>()
  const wait = (ms: number) => pause(ms, undefined, { signal: stopping.signal }).catch(() => {})
  const loop = async () => {
    while (!stopping.signal.aborted) {
      changed = Promise.withResolvers()
      const restless = await look().catch((error) => {
        log.error({ err: error }, 'inbox could not be read')
        return 0
      })
      const next = restless > 0 ? Math.max(settings.import.settle, soon) : lookEvery
      await Promise.race([wait(next), changed.promise.then(() => wait(soon))])
    }
  }
  const watchFolder = (folder: string) =>
    watch(folder, () => changed.resolve()).on('error', (err) => log.warn({ err }, 'inbox is no longer watched'))
  const watchers = places.filter(({ shown }) => shown).map(({ folder }) => watchFolder(join(home.inbox, folder)))
  const running = loop()
  return {
    scan: async () => void (await look()),
    async stop() {
      stopping.abort()
      for (const watcher of watchers) watcher.close()
      await running
      await looking.catch(() => {})
    },
  }
}

const soon = 100
const lookEvery = 5_000

/** Returns how many files are still changing. */
const lookOnce = async (
  tools: InboxTools,
  places: InboxPlace[],
  stillness: ReturnType<typeof createStillness>,
  stopping: AbortSignal,
): Promise<number> => {
  const { home, clock } = tools
  for await (const claim of takeOverClaims(home.processing, places, clock)) {
    await attempt(tools, claim.name, () => takeFile(tools, claim))
    if (stopping.aborted) return 0
  }
  const files = await findFiles(home.inbox, places)
  const { still, restless } = stillness.sort(files, clock())
  for (const file of still) {
    if (stopping.aborted) return 0
    const wentWell = await attempt(tools, file.name, () => claimAndTake(tools, file))
    if (!wentWell) stillness.postpone(file, clock())
  }
  return restless.length
}

const claimAndTake = async (tools: InboxTools, file: DroppedFile): Promise<void> => {
  const claim = await claimFile(tools.home.processing, file)
  if (claim) await takeFile(tools, claim)
}

/** Returns whether it succeeded. A problem with one file is logged and must not delay the files behind it. */
const attempt = async ({ log }: InboxTools, file: string, take: () => Promise<void>): Promise<boolean> => {
  try {
    await take()
    return true
  } catch (error) {
    log.error({ file, err: error, cure: cureOf(error) }, 'file could not be taken: it will be tried again')
    return false
  }
}

/** Undefined where the error itself has to say what to do. */
const cureOf = (error: unknown): string | undefined => {
  const { code } = (error ?? {}) as NodeJS.ErrnoException
  if (code === 'EACCES' || code === 'EPERM')
    return 'let the user that runs the worker read the file, and write into inbox/, processing/ and archive/'
  return code === 'ENOSPC' ? 'free some space on the disk of VIGIA_HOME' : undefined
}

/** A folder for each kind shows people where to drop which file. */
const openFolders = async ({ home }: InboxTools, places: InboxPlace[]): Promise<void> => {
  const shown = places.filter(({ shown }) => shown).map(({ folder }) => join(home.inbox, folder))
  for (const folder of [...shown, join(home.archive, 'rejected')]) await mkdir(folder, { recursive: true, mode: 0o700 })
}

/** Separates files that no longer change from those that are still being written, by comparing with earlier scans. */
const createStillness = (settleMs: number) => {
  let seen = new Map<string, { look: string; since: number }>()
  return {
    /** The date of a file proves nothing (a copy may keep the original's), so only observed scans count. */
    sort(files: DroppedFile[], now: Date): { still: DroppedFile[]; restless: DroppedFile[] } {
      const at = now.getTime()
      const before = seen
      seen = new Map(
        files.map((file) => {
          const look = `${file.ino} ${file.size} ${file.mtimeMs}`
          const known = before.get(file.path)
          return [file.path, known?.look === look ? known : { look, since: at }]
        }),
      )
      const isStill = ({ path }: DroppedFile) => at - seen.get(path)!.since >= settleMs
      return { still: files.filter(isStill), restless: files.filter((file) => !isStill(file)) }
    },

    /** Delays a file that could not be taken. If it changes meanwhile, it is treated as new. */
    postpone({ path }: DroppedFile, now: Date): void {
      const known = seen.get(path)
      if (known) known.since = now.getTime() + postponedMs
    },
  }
}

const postponedMs = 30_000
