import { Readable } from 'node:stream'
import { DownloadFailed, PrivateAddress } from './errors.ts'
import { createPublicAgent } from './public-agent.ts'

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
