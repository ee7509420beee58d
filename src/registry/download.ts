import { Readable } from 'node:stream'
import type { Account } from '../domain/lookup.ts'
import type { Registry } from './create-registry.ts'
import { DownloadFailed, PrivateAddress } from './errors.ts'
import { createPublicAgent } from './public-agent.ts'

type Opening = {
  registry: Registry
  accounts: readonly Account[]
  /** A registry on this machine gives addresses on this machine. */
  local: boolean
  signal: AbortSignal
}

/** A spreadsheet that the registry made of an analysis, with the address that the answer gave. */
type Spreadsheet = { url: string; remoteId: string; remoteKey: string | null; organizationId: bigint }

/** Opens the registry's spreadsheet of an analysis. If its temporary address has expired, asks for a new one. */
export const spreadsheetOpener =
  ({ registry, accounts, local, signal }: Opening) =>
  async ({ url, remoteId, remoteKey, organizationId }: Spreadsheet) => {
    const fetch = (address: string) => {
      const timeout = AbortSignal.any([signal, AbortSignal.timeout(longestMs)])
      return download(address, { maxBytes: largest, allowPrivate: local, signal: timeout })
    }
    try {
      return await fetch(url)
    } catch (error) {
      const account = accounts.find((each) => BigInt(each.organizationId) === organizationId)
      if (!account) throw error
      const ref = { id: remoteId, uniqueId: remoteKey ?? '' }
      const { spreadsheets } = await registry.analyses.consult(ref, account, { signal })
      const address = spreadsheets.full ?? spreadsheets.partial
      if (!address || address === url) throw error
      return fetch(address)
    }
  }

const largest = 64 * 1024 * 1024
/** The limit for a download, however slowly it arrives. */
const longestMs = 5 * 60_000

type DownloadOptions = {
  maxBytes: number
  /** For the sandbox, whose addresses are on this machine; permits http too. */
  allowPrivate?: boolean
  signal?: AbortSignal
}

/**
 * Opens the file behind a temporary address that the registry gave (`urlTemp…`).
 *
 * The address is not trusted: it must be https and lead to the public Internet. Redirects are not followed, no token is
 * sent, and the stream ends with an error when it grows beyond the limit.
 */
export const download = async (url: string, { maxBytes, allowPrivate = false, signal }: DownloadOptions) => {
  const { href, host } = permitted(url, allowPrivate)
  const agent = createPublicAgent({ allowPrivate })
  try {
    const { origin, pathname, search } = new URL(href)
    const headers = { 'accept-encoding': 'identity' }
    const response = await agent.request({ origin, path: pathname + search, method: 'GET', headers, signal })
    const length = Number(response.headers['content-length'] ?? 0)
    if (response.statusCode !== 200 || length > maxBytes) {
      response.body.on('error', () => {}).destroy()
      throw new DownloadFailed(host, length > maxBytes ? tooLarge(maxBytes) : `it answered ${response.statusCode}`)
    }
    return Readable.from(limited(response.body, maxBytes, host), { objectMode: false })
  } catch (error) {
    if (error instanceof PrivateAddress || error instanceof DownloadFailed || signal?.aborted) throw error
    throw new DownloadFailed(host, String((error as { code?: unknown }).code ?? 'no answer'))
  } finally {
    void agent.close().catch(() => {})
  }
}

/** The URL parser normalizes every spelling of an address: decimal, octal, hexadecimal, percent, full width. */
const permitted = (url: string, allowPrivate: boolean): URL => {
  const parsed = URL.parse(url)
  const isWeb = parsed?.protocol === 'https:' || (allowPrivate && parsed?.protocol === 'http:')
  if (!parsed || !isWeb || parsed.username || parsed.password) {
    throw new DownloadFailed(parsed?.host || 'an address', 'only plain https addresses are followed')
  }
  return parsed
}

async function* limited(body: AsyncIterable<Buffer>, maxBytes: number, host: string) {
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > maxBytes) throw new DownloadFailed(host, tooLarge(maxBytes))
    yield chunk
  }
}

const tooLarge = (maxBytes: number) => `it is larger than ${maxBytes} bytes`
