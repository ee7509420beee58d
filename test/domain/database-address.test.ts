import { expect, test } from 'vitest'
import { readDatabaseAddress } from '../../src/domain/database-address.ts'

test('an address with one host is itself', () => {
  const url = 'postgres://u:p@db:5432/vigia?options=-c%20geqo%3Doff'
  const none = { wanted: null, tls: null, fault: null }
  expect(readDatabaseAddress(url)).toEqual({ each: [url], ...none, database: 'vigia', hosts: 'db:5432' })
})

test('several hosts are one address each, with user, password and database, and without what we handle', () => {
  expect(
    readDatabaseAddress('postgresql://u:p%40@a:1,b,[::1]:3/vigia?target_session_attrs=read-write&sslmode=require'),
  ).toEqual({
    each: ['postgresql://u:p%40@a:1/vigia', 'postgresql://u:p%40@b/vigia', 'postgresql://u:p%40@[::1]:3/vigia'],
    wanted: 'read-write',
    tls: { mode: 'require', root: null, cert: null, key: null },
    fault: null,
    database: 'vigia',
    hosts: 'a:1, b, [::1]:3',
  })
})

test('a text that is no address is null', () => {
  for (const text of ['', 'db', 'mysql://db/vigia', 'postgres://a:x/vigia', 'postgres://a:1,b:x/vigia']) {
    expect(readDatabaseAddress(text)).toBe(null)
  }
})

test('sslmode and its files are read as libpq reads them', () => {
  const tls = (parameters: string) => readDatabaseAddress(`postgres://db/vigia?${parameters}`)!.tls
  const none = { root: null, cert: null, key: null }
  for (const clear of ['', 'sslmode=disable', 'ssl=false']) expect(tls(clear)).toBe(null)
  expect(tls('sslmode=allow')).toEqual({ ...none, mode: 'prefer' })
  expect(tls('sslmode=require')).toEqual({ ...none, mode: 'require' })
  expect(tls('sslmode=require&sslrootcert=/ca.pem')).toEqual({ ...none, mode: 'verify-ca', root: '/ca.pem' })
  expect(tls('sslmode=verify-full&sslrootcert=system')).toEqual({ ...none, mode: 'verify-full' })
  expect(tls('ssl=true')).toEqual({ ...none, mode: 'verify-full' })
  const own = { cert: '/me.crt', key: '/me.key' }
  expect(tls('sslmode=prefer&sslcert=/me.crt&sslkey=/me.key')).toEqual({ ...none, ...own, mode: 'prefer' })
})

test('parameters of TLS that contradict each other, or are not supported, are faults', () => {
  const fault = (parameters: string) => readDatabaseAddress(`postgres://db/vigia?${parameters}`)!.fault
  expect(fault('sslmode=verify_full')).toBe(
    'sslmode=verify_full is not one of disable, allow, prefer, require, verify-ca, verify-full',
  )
  expect(fault('sslmode=require&sslcert=/me.crt')).toBe('sslcert and sslkey are needed together')
  expect(fault('sslmode=verify-ca')).toContain('sslmode=verify-ca needs sslrootcert')
  expect(fault('sslmode=require&channel_binding=require')).toBe('channel_binding is not supported; remove it')
  expect(fault('sslmode=verify-full')).toBe(null)
})
