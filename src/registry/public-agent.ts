import { isIP } from 'node:net'
import { Agent, buildConnector } from 'undici'
import { PrivateAddress } from './errors/private-address.ts'
import { isPublicAddress, publicLookup } from './public-address.ts'

/**
 * Connections to addresses that came from outside: downloads and webhooks.
 *
 * The check sits where the socket is opened, so a name cannot resolve to one thing when checked and to another when
 * used. A lookup is never called for an IP literal, so literals are checked beside it.
 */
export function createPublicAgent({ allowPrivate = false } = {}): Agent {
  if (allowPrivate) return new Agent({ allowH2: false })
  const open = buildConnector({ lookup: publicLookup, allowH2: false })
  return new Agent({
    allowH2: false,
    connect(options, callback) {
      const host = options.hostname.replace(/^\[|\]$/g, '')
      if (isIP(host) && !isPublicAddress(host)) callback(new PrivateAddress(host), null)
      else open(options, callback)
    },
  })
}
