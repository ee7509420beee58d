import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { joinHolders } from '../../home/holders.ts'
import { connect } from '../connect.ts'
import { openCluster, readPassword, SUPERUSER } from './cluster.ts'
import { launch, type Postmaster, stopPostmaster, whenSettled } from './launch.ts'
import { EmbeddedFailure, openServerPlace, type ServerPlace } from './place.ts'
import { findPrograms } from './programs.ts'

export type Embedded = {
  url: string
  /** Where the data is; not always under the home (see `openServerPlace`). */
  data: string
  /** Releases the server; the last process to do so stops it. */
  release(): Promise<void>
}

/**
 * Gives this process a real PostgreSQL that lives in `home`/postgres.
 *
 * A server that already runs there is shared, whether another process uses it or its owner was killed.
 */
export const startEmbedded = async (options: Options & { home: string }): Promise<Embedded> => {
  const folder = join(options.home, 'postgres')
  let opened = { url: '', data: '' }
  const holding = await joinHolders(join(folder, 'holders'), async () => {
    opened = await open(folder, options)
  })
  let released: Promise<unknown> | undefined
  return {
    ...opened,
    async release() {
      released ??= holding.release(() => stopPostmaster(opened.data))
      await released
    },
  }
}

type Options = {
  settings?: Record<string, string>
  /** Called only if no server runs yet. */
  starting?: () => void
}

const open = async (folder: string, options: Options): Promise<{ url: string; data: string }> => {
  const place = await openServerPlace(folder)
  const { port } = (await whenSettled(place.data)) ?? (await startServer(place, options))
  const password = await readPassword(place)
  const url = `postgres://${SUPERUSER}:${password}@127.0.0.1:${port}/postgres`
  await waitForAnswer(url, place.data)
  return { url, data: place.data }
}

const startServer = async (place: ServerPlace, { settings, starting }: Options): Promise<Postmaster> => {
  starting?.()
  const programs = await findPrograms(place)
  await openCluster(programs, place)
  return launch(programs, place, settings)
}

/** A server that is still recovering from a crash accepts a connection and drops it, so it is tried a few times. */
const waitForAnswer = async (url: string, data: string, tries = 20): Promise<void> => {
  const sql = connect(url, { max: 1, name: 'vigia probe' })
  try {
    await sql`select 1`
  } catch (cause) {
    if (tries > 1 && (cause as NodeJS.ErrnoException).code === 'ECONNRESET') {
      await pause(250)
      return waitForAnswer(url, data, tries - 1)
    }
    throw new EmbeddedFailure(`PostgreSQL runs on ${data} and refuses us: ${(cause as Error).message}`, { cause })
  } finally {
    await sql.end()
  }
}
