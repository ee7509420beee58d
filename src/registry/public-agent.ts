import { lookup } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { Agent, buildConnector } from 'undici'
import { PrivateAddress } from './errors.ts'

/**
 * Connections to addresses that came from outside: downloads and webhooks.
 *
 * The check sits where the socket is opened, so a name cannot resolve to one address when checked and to another when
 * used. A lookup is never called for an IP literal, so literals are checked separately.
 */
export const createPublicAgent = ({ allowPrivate = false } = {}): Agent => {
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

/** Whether an IP address is on the public Internet; anything private, local or special is not. */
export const isPublicAddress = (address: string): boolean => {
  const family = isIP(address)
  if (family === 4) return !specialIPv4.check(address, 'ipv4')
  if (family === 6) return !address.includes('%') && !specialIPv6.check(address, 'ipv6')
  return false
}

/** Like `dns.lookup`, but a name that resolves to even one address that is not public is refused. */
const publicLookup: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return callback(error, [])
    const [first] = addresses
    if (!first || !addresses.every(({ address }) => isPublicAddress(address))) {
      return callback(new PrivateAddress(hostname), [])
    }
    if (options.all) callback(null, addresses)
    else callback(null, first.address, first.family)
  })
}

/** The special-purpose addresses of IANA. */
const specialIPv4 = blockListOf(
  'ipv4',
  `0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24
   192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4`,
)

/** Only 2000::/3 is allocated, and some of it is special or carries an IPv4 address. Mapped addresses are all refused. */
const specialIPv6 = blockListOf('ipv6', '::/3 4000::/2 8000::/1 2001::/23 2001:db8::/32 2002::/16 3fff::/20')

function blockListOf(family: 'ipv4' | 'ipv6', subnets: string): BlockList {
  const list = new BlockList()
  for (const subnet of subnets.split(/\s+/)) {
    const [prefix, bits] = subnet.split('/') as [string, string]
    list.addSubnet(prefix, Number(bits), family)
  }
  return list
}
