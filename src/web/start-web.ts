import { once } from 'node:events'
import { createServer } from 'node:net'
import { removeAbandonedDownloads } from '../batches/download-folder.ts'
import type { Sql } from '../store/connect.ts'
import { countOperators } from '../store/people/operators.ts'
import { SignInLink } from './access/sessions.ts'
import { buildServer, type ConnectionLimits } from './server.ts'
import type { Site } from './site/site.ts'

type WebOptions = Omit<Site, 'link' | 'secret'> & { limits?: ConnectionLimits }

export type Web = {
  url: string
  /** On loopback: opens the page once, for an administrator. */
  signInLink: string | null
  close(): Promise<void>
}

/** Starts the operator page and the API. On any host but loopback it needs operators with tokens. */
export const startWeb = async ({ limits, ...options }: WebOptions): Promise<Web> => {
  const { sql, clock, settings } = options
  const { host, port, loopback } = settings.web
  await checkPage(sql, settings.web)
  await removeAbandonedDownloads(clock())
  const link = loopback ? new SignInLink(clock()) : null
  const app = await buildServer({ ...options, link }, limits)
  const url = await app.listen({ host, port }).catch((error) => refuseAddress(error, { host, port }))
  return { url, signInLink: link?.addressAt(url) ?? null, close: () => app.close() }
}

type Address = { host: string; port: number }

/** Checks that the page can be served at the address in the settings, and that somebody can sign in there. */
export const checkPage = async (sql: Sql, { host, port, loopback }: Address & { loopback: boolean }): Promise<void> => {
  if (!loopback && (await countOperators(sql)) === 0) {
    throw new PageRefusal(
      `The page would be open to the network on ${host}, and nobody could sign in: first run 'vigia operator add NAME --role admin', or set HOST=127.0.0.1`,
    )
  }
  await tryAddress({ host, port }).catch((error) => refuseAddress(error, { host, port }))
}

/** Refuses in one line: why the address cannot be used, and what to set instead. */
const refuseAddress = (error: NodeJS.ErrnoException, { host, port }: Address): never => {
  const why = reasons[error.code ?? '']
  if (!why) throw error
  throw new PageRefusal(`The page cannot be served on ${host}:${port}: ${why}`, { cause: error })
}

const reasons: Record<string, string> = {
  EADDRINUSE: 'another program listens there, perhaps another worker. Stop it, or set PORT to a free one (0 takes any)',
  EACCES: 'this user may not listen there. Set PORT to one above 1023',
  EADDRNOTAVAIL: 'this machine has no such address. Set HOST to one of its own, or to 127.0.0.1',
  ENOTFOUND: 'there is no such host. Set HOST to an address of this machine, or to 127.0.0.1',
}

const tryAddress = async ({ host, port }: Address): Promise<void> => {
  const server = createServer().listen({ host, port })
  await once(server, 'listening')
  server.close()
  await once(server, 'close')
}

/** The page cannot be served as the settings say. Exit code 2, like any wrong setting. */
class PageRefusal extends Error {
  override readonly name = 'PageRefusal'
  readonly exitCode = 2
}
