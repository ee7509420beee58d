import { accessSync, constants } from 'node:fs'
import { resolve } from 'node:path'
import { type DatabaseAddress, readDatabaseAddress } from '../src/domain/database-address.ts'
import type { Account } from '../src/domain/lookup.ts'
import type { EnvironmentReader } from './environment-reader.ts'

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

export type FromEnvironment = ReturnType<typeof readEnvironment>

/** Secrets and places: what differs from machine to machine comes from the environment. */
export const readEnvironment = (reader: EnvironmentReader, cwd: string) => {
  const found = {
    /** Folder of inbox, outbox and the embedded database; absolute. */
    home: resolve(cwd, reader.text('VIGIA_HOME') ?? 'data'),
    /** Null: the embedded database under `home`. */
    databaseUrl: readDatabaseUrl(reader, 'DATABASE_URL'),
    /** The same database past a pool, for migrations. Null: `databaseUrl`. */
    databaseDirectUrl: readDirectUrl(reader),
    /** How many connections a process may hold. Null: as many as suit the machine. */
    databasePool: reader.integer('DATABASE_POOL', 4, 200) ?? null,
    /** Null: the built-in sandbox. */
    registry: readRegistry(reader),
    organization: readOrganization(reader),
    host: reader.text('HOST') ?? '127.0.0.1',
    port: reader.integer('PORT', 0, 65_535) ?? 8080,
    logLevel: reader.oneOf('LOG_LEVEL', logLevels) ?? 'info',
    webhookSecret: reader.secret('VIGIA_WEBHOOK_SECRET') ?? null,
    smtpUrl: readSmtpUrl(reader),
  }
  reader.refuseSlips()
  return found
}

/**
 * `smtps://` is TLS from the start; `smtp://` is upgraded if the server offers TLS. With a password TLS is required:
 * otherwise a server without TLS, or an attacker who hides the offer, would receive the password in clear text.
 */
const readSmtpUrl = (reader: EnvironmentReader): string | null => {
  const text = reader.secret('SMTP_URL')
  if (text === undefined) return null
  const url = URL.parse(text)
  if (url && !isDecodable(`${url.username}:${url.password}`))
    return reader.refuse('SMTP_URL', 'has a % in its user or password: write it as %25') ?? null
  if (url && /^smtps?:$/.test(url.protocol) && url.hostname) return requiringTls(url)
  return reader.refuse('SMTP_URL', 'expected an address such as smtp://user:password@mail.example.com:587') ?? null
}

const requiringTls = (url: URL): string => {
  if (url.protocol === 'smtp:' && url.password !== '' && !isLoopback(url.hostname))
    url.searchParams.set('requireTLS', 'true')
  return url.href
}

const isDecodable = (text: string): boolean => {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

const readDatabaseUrl = (reader: EnvironmentReader, name: 'DATABASE_URL' | 'DATABASE_DIRECT_URL'): string | null => {
  const url = reader.secret(name)
  if (url === undefined) return null
  const address = readDatabaseAddress(url)
  if (!address) reader.refuse(name, 'expected an address such as postgres://user:password@host:5432/vigia')
  else if (address.wanted && !['read-write', 'primary', 'any'].includes(address.wanted)) {
    reader.refuse(name, 'selects a read-only server; Vigia needs target_session_attrs=read-write')
  }
  for (const fault of address ? faultsOfTls(address) : []) reader.refuse(name, fault)
  return url
}

/** The files are opened here, so that a missing one is named before anything starts. */
const faultsOfTls = ({ tls, fault }: DatabaseAddress): string[] => {
  if (fault !== null || tls === null) return fault === null ? [] : [fault]
  const files = { sslrootcert: tls.root, sslcert: tls.cert, sslkey: tls.key }
  return Object.entries(files).flatMap(([name, file]) => {
    const problem = file === null ? null : problemOf(file)
    return problem === null ? [] : [`${name}: ${problem}`]
  })
}

const problemOf = (file: string): string | null => {
  try {
    accessSync(file, constants.R_OK)
    return null
  } catch (error) {
    return `cannot read ${file} (${(error as NodeJS.ErrnoException).code})`
  }
}

const readDirectUrl = (reader: EnvironmentReader): string | null => {
  const url = readDatabaseUrl(reader, 'DATABASE_DIRECT_URL')
  if (url && !reader.has('DATABASE_URL')) {
    reader.refuse('DATABASE_DIRECT_URL', 'is set, but DATABASE_URL is not; it is the same database without its pool')
  }
  return url
}

const credentials = {
  token: 'REGISTRY_TOKEN',
  refreshToken: 'REGISTRY_REFRESH_TOKEN',
  email: 'REGISTRY_EMAIL',
  username: 'REGISTRY_USERNAME',
} as const

const readRegistry = (reader: EnvironmentReader): RegistrySettings | null => {
  const url = readRegistryUrl(reader)
  const values = Object.entries(credentials).map(([key, name]) => {
    const value = reader.secret(name)
    if (url && !reader.has(name)) reader.refuse(name, `is needed with REGISTRY_URL; set it, or ${name}_FILE`)
    if (!url && value) reader.refuse(name, 'is set, but REGISTRY_URL is not; set both, or neither for the sandbox')
    return [key, value]
  })
  return url ? { url, ...Object.fromEntries(values) } : null
}

/** The token is sent with every call, so the connection is encrypted unless it stays on this machine. */
const readRegistryUrl = (reader: EnvironmentReader): string | undefined => {
  const text = reader.text('REGISTRY_URL')
  if (text === undefined) return undefined
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol)) {
    reader.refuse('REGISTRY_URL', 'expected an address starting with https://')
  } else if (url.username || url.password || url.search || url.hash) {
    reader.refuse('REGISTRY_URL', 'expected only a base address, without user, ? or #')
  } else if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    reader.refuse('REGISTRY_URL', `expected https: for ${url.hostname}; http: is for this machine only`)
  }
  return text.replace(/\/+$/, '')
}

const account = {
  organizationId: 'REGISTRY_ORGANIZATION_ID',
  holderId: 'REGISTRY_HOLDER_ID',
  planId: 'REGISTRY_PLAN_ID',
} as const

const readOrganization = (reader: EnvironmentReader): Organization | null => {
  const set = Object.values(account).filter((name) => reader.text(name))
  if (set.length === 0) return null
  const values = Object.entries(account).map(([key, name]) => {
    if (!reader.text(name)) reader.refuse(name, `is needed with ${set.join(' and ')}`)
    return [key, reader.integer(name, 1)]
  })
  return Object.fromEntries(values)
}

/** Whether a host name or address means this machine and no other. */
export const isLoopback = (host: string): boolean => {
  const bare = host.replace(/^\[|\]$/g, '').toLowerCase()
  return bare === 'localhost' || bare === '::1' || /^127(\.\d{1,3}){3}$/.test(bare)
}

export type Organization = Account & { name?: string }

export type RegistrySettings = { url: string; token: string; refreshToken: string; email: string; username: string }

/** The sandbox, or a registry on this machine: the addresses that it gives are on this machine too. */
export const isLocalRegistry = (registry: { url: string } | null): boolean =>
  registry === null || isLoopback(new URL(registry.url).hostname)
