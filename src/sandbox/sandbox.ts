import { once } from 'node:events'
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Account } from '../domain/lookup.ts'
import { control, createControls, type SandboxControls } from './controls.ts'
import type { Ledger } from './ledger.ts'
import { route, serve } from './serve.ts'
import { type OpenSandboxState, openState, type SandboxState, type SandboxStateOptions } from './state.ts'
import { accounts, credentials, type SandboxCredentials } from './tokens.ts'

export type SandboxOptions = SandboxStateOptions & { port?: number }

export type Sandbox = SandboxControls & {
  readonly url: string
  /** The first organization, and both. */
  readonly account: Account
  readonly accounts: readonly [Account, Account]
  readonly credentials: SandboxCredentials
  readonly ledger: Ledger
  readonly records: OpenSandboxState['records']
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** Starts the registry on this machine, for this machine only. */
export const startSandbox = async (options: SandboxOptions = {}): Promise<Sandbox> => {
  const state = openState(options)
  const controls = createControls(state)
  const server = createServer({ keepAliveTimeout: never }, listener(state, controls))
  const url = await listen(server, options.port ?? 0)
  state.files.url = `${url}${filesPath}`
  const close = closeOnce(server, state)
  return {
    ...controls,
    url,
    account: accounts[0],
    accounts,
    credentials: { ...credentials, token: firstToken(state) },
    ledger: state.ledger,
    records: state.records,
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** Idle connections stay open, so that none is closed while a request is being sent. */
const never = 0

const listener =
  (state: OpenSandboxState, controls: SandboxControls): RequestListener =>
  (req, res) => {
    const [pathname = '', query = ''] = (req.url ?? '').split('?', 2)
    const found = route(req.method ?? '', pathname)
    if (found) serve(state, req, res, found, query)
    else if (pathname.startsWith(`${filesPath}/`)) sendSpreadsheet(state, res, query)
    else control(state, controls, req, res, pathname, query)
  }

const listen = async (server: Server, port: number): Promise<string> => {
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const closeOnce = (server: Server, state: OpenSandboxState): (() => Promise<void>) => {
  let closed: Promise<void> | undefined
  return () => {
    closed ??= once(server, 'close').then(() => state.journal.close())
    server.close()
    server.closeAllConnections()
    return closed
  }
}

/** The newest token: after a restart the first one may have expired long ago. */
const firstToken = ({ records }: OpenSandboxState): string => [...records.tokens.keys()].at(-1) as string

const filesPath = '/sandbox/files'

/** The spreadsheet behind a temporary address; an address is valid for a quarter of an hour. */
const sendSpreadsheet = (state: SandboxState, res: ServerResponse, query: string): void => {
  const signed = Number(new URLSearchParams(query).get('signed'))
  const alive = signed <= state.now() && state.now() - signed < lifeMs
  res.writeHead(alive ? 200 : 403, {
    'content-type': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  })
  res.end(alive ? emptyWorkbook : undefined)
}

const lifeMs = 15 * 60_000

/** An empty zip archive, because a workbook is a zip file. */
const emptyWorkbook = Buffer.concat([Buffer.from('PK\u0005\u0006'), Buffer.alloc(18)])
