import { expect, test } from 'vitest'
import { readDatabaseAddress } from '../../src/domain/database-address.ts'

test('an address with one host is itself', () => {
  const url = 'postgres://u:p@db:5432/vigia?sslmode=require'
  expect(readDatabaseAddress(url)).toEqual({ each: [url], wanted: null, database: 'vigia', hosts: 'db:5432' })
})

test('several hosts are one address each, with user, password, database and options, and without target_session_attrs', () => {
  expect(
    readDatabaseAddress('postgresql://u:p%40@a:1,b,[::1]:3/vigia?target_session_attrs=read-write&sslmode=require'),
  ).toEqual({
    each: [
      'postgresql://u:p%40@a:1/vigia?sslmode=require',
      'postgresql://u:p%40@b/vigia?sslmode=require',
      'postgresql://u:p%40@[::1]:3/vigia?sslmode=require',
    ],
    wanted: 'read-write',
    database: 'vigia',
    hosts: 'a:1, b, [::1]:3',
  })
})

test('a text that is no address is null', () => {
  for (const text of ['', 'db', 'mysql://db/vigia', 'postgres://a:x/vigia', 'postgres://a:1,b:x/vigia']) {
    expect(readDatabaseAddress(text)).toBe(null)
  }
})
