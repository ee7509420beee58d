import { expect, test } from 'vitest'
import { createLog } from '../../src/log/log.ts'

const refusal = Object.assign(new Error('cannot execute UPDATE in a read-only transaction'), { code: '25006' })

const logOf = (level: string) => {
  const lines: { level: number; msg: string }[] = []
  const log = createLog({ level, stream: { write: (line: string) => void lines.push(JSON.parse(line)) } })
  return { log, lines }
}

test('a read-only server is logged in one line, however many failures it causes', () => {
  const { log, lines } = logOf('info')
  for (let heartbeat = 0; heartbeat < 20; heartbeat++)
    log.warn({ err: refusal }, 'could not renew the share of the request limit')
  log.error({ err: new Error('job failed', { cause: refusal }) }, 'queue error')
  log.error({ err: new Error('other') }, 'queue error')
  expect(lines.map(({ msg }) => msg)).toEqual([
    'the database is read-only: waiting for one that accepts writes',
    'queue error',
  ])
})

test('the level debug shows every line', () => {
  const { log, lines } = logOf('debug')
  for (let heartbeat = 0; heartbeat < 3; heartbeat++)
    log.warn({ err: refusal }, 'could not renew the share of the request limit')
  expect(lines).toHaveLength(3)
})

test('a server that is gone is one more line, and other failures are logged', () => {
  const { log, lines } = logOf('info')
  const failures = [
    { code: 'ECONNREFUSED', message: 'connect ECONNREFUSED 127.0.0.1:5432' },
    { code: 'CONNECTION_CLOSED', message: 'write CONNECTION_CLOSED' },
    { code: '57P01', message: 'terminating connection due to administrator command' },
    { message: 'Connection terminated unexpectedly' },
  ]
  for (const { code, message } of failures) log.error({ err: Object.assign(new Error(message), code && { code }) }, 'x')
  log.warn({ err: refusal }, 'x')
  log.error({ err: Object.assign(new Error('deadlock detected'), { code: '40P01' }) }, 'dispatch failed')
  expect(lines.map(({ msg }) => msg)).toEqual([
    'the database cannot be reached: trying again',
    'the database is read-only: waiting for one that accepts writes',
    'dispatch failed',
  ])
})
