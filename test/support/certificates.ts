import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { isIP } from 'node:net'

/** A certificate and its key as PEM files hold them. */
export type Certificate = { cert: string; key: string }

type Wanted = { name: string; hosts?: string[]; from?: Date; until?: Date }

/** An authority that signs certificates for hosts and for clients; made here because Node reads certificates only. */
export const createAuthority = (name: string): Certificate & { issue(wanted: Wanted): Certificate } => {
  const own = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const make = (wanted: Wanted, publicKey: KeyObject, authority: boolean) =>
    toPem(certificate({ ...wanted, issuer: name, publicKey, signer: own.privateKey, authority }))
  return {
    cert: make({ name }, own.publicKey, true),
    key: keyPem(own.privateKey),
    issue(wanted) {
      const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      return { cert: make(wanted, publicKey, false), key: keyPem(privateKey) }
    },
  }
}

type Contents = Wanted & { issuer: string; publicKey: KeyObject; signer: KeyObject; authority: boolean }

/** RFC 5280, as little of it as OpenSSL asks for. */
const certificate = (contents: Contents): Buffer => {
  const { name, issuer, publicKey, signer, from = daysFromNow(-1), until = daysFromNow(1) } = contents
  const algorithm = sequence(oid('2a8648ce3d040302'))
  const signed = sequence(
    tagged(0xa0, tagged(0x02, Buffer.from([2]))),
    tagged(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    algorithm,
    commonName(issuer),
    sequence(time(from), time(until)),
    commonName(name),
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(0xa3, sequence(...extensions(contents))),
  )
  return sequence(signed, algorithm, tagged(0x03, Buffer.concat([Buffer.from([0]), sign('sha256', signed, signer)])))
}

const extensions = ({ authority, hosts = [] }: Contents): Buffer[] => {
  const isAuthority = sequence(oid('551d13'), flag, tagged(0x04, sequence(...(authority ? [flag] : []))))
  const names = sequence(oid('551d11'), tagged(0x04, sequence(...hosts.map(hostName))))
  return hosts.length > 0 ? [isAuthority, names] : [isAuthority]
}

const hostName = (host: string): Buffer =>
  isIP(host) === 4 ? tagged(0x87, Buffer.from(host.split('.').map(Number))) : tagged(0x82, Buffer.from(host))

const tagged = (tag: number, content: Buffer): Buffer => {
  const { length } = content
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}

const sequence = (...parts: Buffer[]): Buffer => tagged(0x30, Buffer.concat(parts))
const oid = (hex: string): Buffer => tagged(0x06, Buffer.from(hex, 'hex'))
const flag = tagged(0x01, Buffer.from([0xff]))
const commonName = (name: string): Buffer =>
  sequence(tagged(0x31, sequence(oid('550403'), tagged(0x0c, Buffer.from(name)))))
const time = (at: Date): Buffer =>
  tagged(
    0x17,
    Buffer.from(
      `${at
        .toISOString()
        .replace(/[-:T]|\..*/g, '')
        .slice(2)}Z`,
    ),
  )
const daysFromNow = (days: number): Date => new Date(Date.now() + days * 86_400_000)

const toPem = (der: Buffer): string =>
  ['-----BEGIN CERTIFICATE-----', ...der.toString('base64').match(/.{1,64}/g)!, '-----END CERTIFICATE-----', ''].join(
    '\n',
  )
const keyPem = (key: KeyObject): string => key.export({ type: 'pkcs8', format: 'pem' }).toString()
