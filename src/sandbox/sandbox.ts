import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Account } from '../domain/account.ts'
import { control } from './control.ts'
import { accounts, type Credentials, credentials } from './identity.ts'
import type { Ledger } from './ledger.ts'
import { type FrontDeskOptions, type OpenFrontDesk, openFrontDesk } from './open-front-desk.ts'
import { route } from './route.ts'
import { serve } from './serve.ts'
import { filesPath, sendSpreadsheet } from './spreadsheets.ts'
import { type Steering, steering } from './steering.ts'

export type SandboxOptions = FrontDeskOptions & { port?: number; host?: '127.0.0.1' }

export type Sandbox = Steering & {
  readonly url: string
  /** The first organization, and both. */
  readonly account: Account
  readonly accounts: readonly [Account, Account]
  readonly credentials: Credentials
  readonly ledger: Ledger
  readonly books: OpenFrontDesk['books']
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** Starts the registry on this machine, for this machine only. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const desk = openFrontDesk(options)
  const steer = steering(desk)
  const server = createServer({ keepAliveTimeout: never }, listener(desk, steer))
  const url = await listen(server, options.port ?? 0, options.host ?? '127.0.0.1')
  desk.files.url = `${url}${filesPath}`
  const close = closeOnce(server, desk)
  return {
    ...steer,
    url,
    account: accounts[0],
    accounts,
    credentials: { ...credentials, token: firstToken(desk) },
    ledger: desk.ledger,
    books: desk.books,
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** An idle connection is left open, so that none is closed under a request on its way. */
const never = 0

const listener =
  (desk: OpenFrontDesk, steer: Steering): RequestListener =>
  (req, res) => {
    const [pathname = '', query = ''] = (req.url ?? '').split('?', 2)
    const found = route(req.method ?? '', pathname)
    if (found) serve(desk, req, res, found, query)
    else if (pathname.startsWith(`${filesPath}/`)) sendSpreadsheet(desk, res, query)
    else control(desk, steer, req, res, pathname, query)
  }

function listen(server: Server, port: number, host: string): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => resolve(`http://${host}:${(server.address() as AddressInfo).port}`))
  })
}

function closeOnce(server: Server, desk: OpenFrontDesk): () => Promise<void> {
  let closed: Promise<void> | undefined
  return () => {
    closed ??= new Promise<void>((resolve) => {
      server.close(() => resolve(desk.journal.close()))
      server.closeAllConnections()
    })
    return closed
  }
}

/** The newest token: after a restart the first one may long have expired. */
const firstToken = ({ books }: OpenFrontDesk): string => [...books.tokens.keys()].at(-1) as string
