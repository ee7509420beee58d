import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, createServer as createSocketServer, type Server, type Socket } from 'node:net'
import { type Bound, createBound } from '../../src/registry/bound.ts'
import { createRegistry, type Registry, type RegistryOptions } from '../../src/registry/create-registry.ts'
import { type SandboxOptions, startSandbox } from '../../src/sandbox/sandbox.ts'
import { createMemoryVault } from './memory-vault.ts'

export const account = { organizationId: 7001, holderId: 501, planId: 31 }
export const cpf = { type: 'CPF', number: '52998224725' } as const

type Overrides = Partial<RegistryOptions>

/** The client against the sandbox. */
export const setup = async (overrides: Overrides = {}, options: SandboxOptions = {}) => {
  const sandbox = await startSandbox(options)
  const client = clientOf(sandbox.url, { credentials: sandbox.credentials, ...overrides }, sandbox.credentials.token)
  const dispose = async () => {
    await client.registry.close()
    await sandbox.close()
  }
  return { sandbox, ...client, [Symbol.asyncDispose]: dispose }
}

/** The client against a server whose answers the test sets. */
export const setupAgainst = async (listener: RequestListener, overrides: Overrides = {}) =>
  against(createServer(listener), overrides)

/** The client against a server whose bytes the test sets. */
export const setupAgainstSocket = async (listener: (socket: Socket) => void, overrides: Overrides = {}) => {
  const sockets = new Set<Socket>()
  const server = createSocketServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    listener(socket)
  })
  return against(server, overrides, () => {
    for (const socket of sockets) socket.destroy()
  })
}

const against = async (server: Server, overrides: Overrides, cut = () => {}) => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const client = clientOf(url, overrides, 'secret-token-1')
  const dispose = async () => {
    await client.registry.close()
    cut()
    if ('closeAllConnections' in server) (server.closeAllConnections as () => void)()
    await new Promise((resolve) => server.close(resolve))
  }
  return { url, ...client, [Symbol.asyncDispose]: dispose }
}

export const clientOf = (url: string, overrides: Overrides, token: string) => {
  const vault = createMemoryVault(token)
  const bound: Bound = overrides.bound ?? createBound({ ceiling: 64 })
  const registry: Registry = createRegistry({
    url,
    credentials: { email: 'ops@example.com', username: 'ops', refreshToken: 'secret-refresh' },
    vault,
    connections: 64,
    request: { timeout: 60_000, retries: 0, maxBodyBytes: 1_000_000 },
    outage: { after: 1_000, firstTrialMs: 1_000, lastTrialMs: 30_000 },
    backoff: { firstMs: 1, maxMs: 1_000, random: Math.random },
    ...overrides,
    bound,
  })
  return { registry, bound, vault }
}
