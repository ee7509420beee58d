import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import defaults from '../../config/default.json' with { type: 'json' }
import { loadSettings } from '../../config/settings.ts'

const folder = mkdtempSync(join(tmpdir(), 'vigia settings '))
afterAll(() => rmSync(folder, { recursive: true }))

const registry = {
  REGISTRY_URL: 'https://registry.example/api/',
  REGISTRY_TOKEN: 'access',
  REGISTRY_REFRESH_TOKEN: 'refresh',
  REGISTRY_EMAIL: 'ops@example.com',
  REGISTRY_USERNAME: 'ops',
  REGISTRY_ORGANIZATION_ID: '7',
  REGISTRY_HOLDER_ID: '8',
  REGISTRY_PLAN_ID: '9',
}

test('an empty environment gives the embedded database, the sandbox and the defaults', () => {
  const settings = loadSettings({}, { cwd: folder })
  expect(settings).toMatchObject({ home: join(folder, 'data'), databaseUrl: null, registry: null, organizations: [] })
  expect(settings.web).toEqual({
    host: '127.0.0.1',
    port: 8080,
    loopback: true,
    maxUploadBytes: 2 ** 30,
    publicUrl: null,
  })
  expect(settings.request).toEqual({ timeout: 30_000, retries: 4, maxBodyBytes: 10_485_760 })
})

test('parameters of TLS that are wrong, and files that are not there, are named before anything starts', () => {
  const load = (parameters: string) => () => loadSettings({ DATABASE_URL: `postgres://db/vigia?${parameters}` })
  expect(load('sslmode=always')).toThrow(/DATABASE_URL {2}sslmode=always is not one of disable/)
  expect(load('sslmode=verify-full&sslrootcert=/no/ca.pem')).toThrow(
    'DATABASE_URL  sslrootcert: cannot read /no/ca.pem (ENOENT)',
  )
  expect(load('sslmode=verify-full')).not.toThrow()
})

test('the public keys and values are in the defaults', () => {
  expect(defaults).toMatchObject({
    timezone: 'America/Sao_Paulo',
    organizations: [],
    concurrency: { worker: 16, fleet: 64 },
    request: { timeout: '30s', retries: 4, maxBodyBytes: 10485760 },
    polling: { first: '2s', max: '60s', deadline: '24h' },
    freshness: { analysis: '30d', cnh: '30d', scr: '1d', processes: '1d' },
    budget: { perDay: null, perBatch: null, confirmAbove: null, unitPrice: null },
    import: { maxRejectShare: 1, settle: '2s' },
    sweeps: { radars: '0 2 * * *', unfinished: '*/10 * * * *', usage: '0 6 * * *', purge: '30 3 * * *' },
    radarSweep: { refresh: 'processes', analysisEvery: '30d', analysisOn: 'both', businessDaysOnly: false },
    alerts: { webhook: null },
    retention: { batches: '180d', lookups: '400d', unconfirmed: '30d' },
  })
})

test('the price of a paid call is one price, a price by kind, or one with exceptions', () => {
  const priced = (unitPrice: unknown) => loadSettings({}, { overlay: { budget: { unitPrice } } }).budget.unitPrice
  const real = { amount: '1.90', currency: 'BRL' }
  expect(priced(real)).toEqual({
    analysis: { cents: 190, currency: 'BRL' },
    cnh: { cents: 190, currency: 'BRL' },
  })
  expect(priced({ cnh: real })).toEqual({ cnh: { cents: 190, currency: 'BRL' } })
  expect(priced({ ...real, cnh: { amount: '12', currency: 'USD' } })).toEqual({
    analysis: { cents: 190, currency: 'BRL' },
    cnh: { cents: 1_200, currency: 'USD' },
  })
  for (const wrong of [{ amount: '1,90', currency: 'BRL' }, { amount: 1.9, currency: 'BRL' }, { amount: '1.90' }]) {
    expect(() => priced(wrong)).toThrow(/budget\.unitPrice.*expected an amount/)
  }
})

test('settings cannot be changed once they are loaded', () => {
  const settings = loadSettings({})
  expect(() => Object.assign(settings.forKind.cnh.polling, { max: 1 })).toThrow(TypeError)
})

describe('the file that VIGIA_CONFIG names', () => {
  test('is merged into the defaults key by key, and lists are replaced', () => {
    const file = write('overlay.json', { $schema: 'x', concurrency: { fleet: 8 }, sweeps: { usage: null } })
    const settings = loadSettings({ VIGIA_CONFIG: file })
    expect(settings.concurrency).toEqual({ worker: 16, fleet: 8 })
    expect(settings.sweeps).toMatchObject({ radars: '0 2 * * *', usage: null })
  })

  test('is found relative to the folder of the command, with a BOM too', () => {
    writeFileSync(join(folder, 'bom.json'), `\uFEFF${JSON.stringify({ timezone: 'UTC' })}`)
    expect(loadSettings({ VIGIA_CONFIG: 'bom.json' }, { cwd: folder }).timezone).toBe('UTC')
  })

  test('may change polling, requests and freshness of a single kind', () => {
    const overlay = {
      polling: { max: '30s', cnh: { max: '5m' } },
      request: { scr: { retries: 9 } },
      freshness: { radar: '1h' },
    }
    const { forKind, request } = loadSettings({}, { overlay })
    expect(forKind.cnh.polling).toEqual({ first: 2000, max: 300_000, deadline: 86_400_000 })
    expect(forKind.scr).toMatchObject({ polling: { max: 30_000 }, request: { retries: 9, timeout: 30_000 } })
    expect([forKind.radar.freshness, forKind.inactivation.freshness]).toEqual([3_600_000, 0])
    expect(request).toEqual({ timeout: 30_000, retries: 4, maxBodyBytes: 10_485_760 })
  })

  test('may not hold a duration too long to count', () => {
    const overlay = { retention: { batches: '999999999999999999999d' } }
    expect(() => loadSettings({}, { overlay })).toThrow(/retention\.batches +expected a duration such as/)
  })

  test('cannot reach the prototype of objects', () => {
    const file = join(folder, 'proto.json')
    writeFileSync(file, '{ "__proto__": { "polluted": true }, "web": { "__proto__": { "polluted": true } } }')
    expect(() => loadSettings({ VIGIA_CONFIG: file })).toThrow(/__proto__ +is not a setting/)
    expect('polluted' in {}).toBe(false)
  })
})

describe('the environment', () => {
  test('gives the registry, and the first organization before those of the file', () => {
    const other = { name: 'Norte', organizationId: 1, holderId: 2, planId: 3 }
    const settings = loadSettings(registry, { overlay: { organizations: [other] } })
    expect(settings.organizations).toEqual([{ organizationId: 7, holderId: 8, planId: 9 }, other])
    expect(settings.registry).toEqual({
      url: 'https://registry.example/api',
      token: 'access',
      refreshToken: 'refresh',
      email: 'ops@example.com',
      username: 'ops',
    })
  })

  test('may name a file for each secret, and the line end of that file is no part of it', () => {
    const file = join(folder, 'token')
    writeFileSync(file, 'from a file\n')
    const settings = loadSettings({ ...registry, REGISTRY_TOKEN: '', REGISTRY_TOKEN_FILE: file })
    expect(settings.registry?.token).toBe('from a file')
  })

  test('may have an empty variable, which counts as unset', () => {
    expect(loadSettings({ REGISTRY_URL: '', PORT: '', LOG_LEVEL: '' })).toMatchObject({
      registry: null,
      logLevel: 'info',
    })
  })

  test.each(['http://localhost:4010', 'http://127.0.0.1:4010', 'http://[::1]:4010', 'https://registry.example'])(
    'may point to %s',
    (url) => expect(loadSettings({ ...registry, REGISTRY_URL: url }).registry?.url).toBe(url),
  )

  test.each(['0.0.0.0', '10.0.0.1', 'vigia.example', '::'])('says that the page on %s is open to others', (host) => {
    expect(loadSettings({ HOST: host }).web.loopback).toBe(false)
  })
})

const write = (name: string, content: unknown): string => {
  const file = join(folder, name)
  writeFileSync(file, JSON.stringify(content))
  return file
}
