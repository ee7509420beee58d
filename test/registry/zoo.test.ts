import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { CallFailure } from '../../src/domain/call-failure.ts'
import type { Registry } from '../../src/registry/create-registry.ts'
import { account, cpf, setupAgainst, setupAgainstSocket } from './setup.ts'

const operations = {
  'cnh.request': ({ cnh }) => cnh.request(cpf, account),
  'cnh.read': ({ cnh }) => cnh.read({ id: 'r-1', document: cpf.number }, account),
  'cnh.latest': ({ cnh }) => cnh.latest(cpf, account),
  'analyses.generate': ({ analyses }) => analyses.generate(cpf, account),
  'analyses.consult': ({ analyses }) => analyses.consult({ id: '1', uniqueId: '2' }, account),
  'activities.list': ({ activities }) => activities.list(account),
  'processes.count': ({ processes }) => processes.count(cpf, account),
  'processes.inactivate': ({ processes }) => processes.inactivate('0058967-77.2016.8.19.0000', account),
  'radars.add': ({ radars }) => radars.add({ name: 'n', code: cpf.number, type: 'CPF' }, account),
  'radars.list': ({ radars }) => radars.list(account),
  'scr.indicators': ({ scr }) => scr.indicators(cpf, account),
  'token.refresh': ({ token }) => token.refresh(),
} satisfies Record<string, (registry: Registry) => Promise<unknown>>

type OperationName = keyof typeof operations
const names = Object.keys(operations) as OperationName[]

/** The bytes on the wire, after which the connection is closed, and what each operation makes of them but for some. */
type Beast = [name: string, bytes: string | Buffer, outcome: string, except?: Partial<Record<OperationName, string>>]

const crlf = '\r\n'
const raw = (status: string, headers: string[], body: string | Buffer) =>
  Buffer.concat([Buffer.from([`HTTP/1.1 ${status}`, ...headers, '', ''].join(crlf)), Buffer.from(body)])
const reply = (status: string, body: string | Buffer, ...headers: string[]) =>
  raw(status, ['content-type: application/json', `content-length: ${Buffer.byteLength(body)}`, ...headers], body)
const ok = (body: string | Buffer, ...headers: string[]) => reply('200 OK', body, ...headers)
const json = (status: string, body: object) => reply(status, JSON.stringify(body))

const page = '<!doctype html><html><body><h1>It works!</h1></body></html>'
/** The radar list accepts any object or null as an incomplete list. */
const notAList = { 'radars.list': 'answer' }
/** A body that matches no known body is the indicators. (product.md 3) */
const anyShape = { ...notAList, 'scr.indicators': 'answer' }
const emptyList = { 'activities.list': 'answer' }
/** A licence request that is not there yet, a CPF without a licence, and an empty list of analyses. */
const absent = { ...emptyList, 'cnh.read': 'answer', 'cnh.latest': 'answer' }
const onceOnly = { 'cnh.request': 'Unanswered', 'analyses.generate': 'Unanswered', 'radars.add': 'Unanswered' }

/** Every name that a reply of the registry may have, with the wrong thing under it. */
const nulls = { success: null, result: null, register: null, requestId: null, total: null, token: null, code: null }
const odd = { success: 1, result: 'x', register: 7, requestId: {}, total: {}, token: 9, code: {} }
const lists = { success: true, result: [[], null, 3], register: [], requestId: [], total: [], token: [], code: [] }
const proto = '{"__proto__":{"requestId":"1","token":"t","code":"1","total":1,"success":true}}'

/** Bodies that no operation expects. Code that follows one of the deep ones by calling itself overflows the stack. */
const bodies: Beast[] = [
  ['HTML under 200', ok(page), 'Unanswered'],
  ['HTML under 404', reply('404 Not Found', page), 'Unanswered', { 'cnh.read': 'answer' }],
  ['HTML under 403', reply('403 Forbidden', page), 'Unanswered'],
  ['HTML under 502', reply('502 Bad Gateway', page), 'Unanswered'],
  ['plain text', ok('OK'), 'Unanswered'],
  ['an empty body under 200', ok(''), 'Unanswered'],
  ['an empty body under 500', reply('500 Oops', ''), 'Unanswered'],
  ['an empty body under 404', reply('404 Not Found', ''), 'Unanswered', absent],
  ['204', raw('204 No Content', [], ''), 'Unanswered'],
  ['truncated JSON', ok('{"success":true,"result":{"userPlanCons'), 'Unanswered'],
  ['NaN', ok('{"success":true,"total":NaN}'), 'Unanswered'],
  ['two documents', ok('{}{}'), 'Unanswered'],
  ['null', ok('null'), 'Unanswered', { ...notAList, ...emptyList }],
  ['true', ok('true'), 'Unanswered'],
  ['a number', ok('42'), 'Unanswered'],
  ['a text', ok('"DONE"'), 'Unanswered'],
  ['an empty array', ok('[]'), 'Unanswered', anyShape],
  ['an empty object', ok('{}'), 'Unanswered', anyShape],
  ['an object after a byte order mark', ok('\ufeff{}'), 'Unanswered', anyShape],
  ['UTF-16', ok(Buffer.from('\ufeff{}', 'utf16le')), 'Unanswered'],
  ['invalid UTF-8', ok(Buffer.from([0xc3, 0x28, 0xff, 0xfe])), 'Unanswered'],
  ['nulls everywhere', ok(JSON.stringify(nulls)), 'Unanswered', anyShape],
  ['wrong types everywhere', ok(JSON.stringify(odd)), 'Unanswered', anyShape],
  [
    'arrays for objects',
    ok(JSON.stringify(lists)),
    'Unanswered',
    { ...anyShape, ...emptyList, 'processes.inactivate': 'answer' },
  ],
  ['a prototype of its own', ok(proto), 'Unanswered', anyShape],
  ['an array 20,000 deep', ok(`${'['.repeat(2e4)}${']'.repeat(2e4)}`), 'Unanswered', notAList],
  ['an object 20,000 deep', ok(`${'{"data":'.repeat(2e4)}1${'}'.repeat(2e4)}`), 'Unanswered', notAList],
]

const m = 'm'
const [bad, notFound, oops] = ['400 Bad', '404 Not Found', '500 Oops']
const missing = (message: string) => json(notFound, { message, error: 'ObjectNotFoundException' })
const error = (status: string, name: string) => json(status, { message: m, error: name })

/** What the registry answers instead of a reply. (Interface 7) */
const refusals: Beast[] = [
  ['success false', ok('{"success":false,"reason":"no"}'), 'Refused', emptyList],
  ['sucess false', ok('{"sucess":false,"reason":null,"result":{}}'), 'Refused'],
  ['success "false" under 400', json(bad, { success: 'false', reason: 'no' }), 'Refused'],
  ['success false under 500', json(oops, { success: false, reason: 'no' }), 'Unanswered'],
  ['success twice, the last one false', ok('{"success":true,"success":false}'), 'Refused', emptyList],
  ['WrongParameterException under 400', error(bad, 'WrongParameterException'), 'Refused'],
  ['WrongParameterException under 200', error('200 OK', 'WrongParameterException'), 'Refused'],
  ['InternalServerError under 200', error('200 OK', 'InternalServerError'), 'Unanswered'],
  ['InternalServerError under 500', error(oops, 'InternalServerError'), 'Unanswered'],
  ['ErrorForbiddenException under 200', error('200 OK', 'ErrorForbiddenException'), 'AccessDenied'],
  ['ErrorForbiddenException under 500', error(oops, 'ErrorForbiddenException'), 'AccessDenied'],
  ['PLAN_NOT_ALLOWED under 200', json('200 OK', { status: 'PLAN_NOT_ALLOWED', message: m }), 'PlanBlocked'],
  ['PLAN_NOT_ALLOWED under 403', json('403 No', { status: 'PLAN_NOT_ALLOWED', message: m }), 'PlanBlocked'],
  ['INVALID_DOCUMENT under 400', json(bad, { status: 'INVALID_DOCUMENT', message: m }), 'InvalidDocument'],
  ['PROCESSING', json('200 OK', { status: 'PROCESSING', message: m }), 'Unanswered', anyShape],
  ['an unknown status', json('200 OK', { status: 'SLEEPING', message: m }), 'Unanswered', anyShape],
  ['type and message under 200', json('200 OK', { type: 'T', message: m }), 'Refused', onceOnly],
  ['type and message under 400', json(bad, { type: 'T', message: m }), 'Refused'],
  ['type and message under 500', json(oops, { type: 'T', message: m }), 'Unanswered'],
  ['an error with a code, a name and a message', json(bad, { code: 'E17', name: 'n', message: m }), 'Refused'],
  ['email required', missing('email required'), 'Refused'],
  ['processNumber not exist', missing('processNumber not exist'), 'NotFound', absent],
  ['404 with an object', json(notFound, {}), 'Refused', absent],
  ['403 with an object', json('403 Forbidden', {}), 'AccessDenied'],
  ['401 with an object', json('401 Unauthorized', { message: m }), 'TokenDead'],
  ['401 without a body', reply('401 Unauthorized', ''), 'TokenDead'],
  ['408', json('408 Request Timeout', { message: m }), 'Unanswered'],
  ['418 with a text', reply('418 Teapot', '"no"'), 'Refused'],
  ['429 bare', reply('429 Slow', ''), 'TooManyRequests'],
  ['429 with seconds', reply('429 Slow', '{}', 'retry-after: 7'), 'TooManyRequests'],
  ['429 with a date', reply('429 Slow', page, 'retry-after: Fri, 31 Dec 2100 23:59:59 GMT'), 'TooManyRequests'],
  ['429 with junk', reply('429 Slow', '{', 'retry-after: soon'), 'TooManyRequests'],
  ['503 with Retry-After', reply('503 Down', '{}', 'retry-after: 1'), 'Unanswered'],
]

const gzip = 'content-encoding: gzip'
const chunked = 'transfer-encoding: chunked'
const interim = Buffer.concat([raw('100 Continue', [], ''), raw('103 Early Hints', [], '')])

/** What goes wrong below the body. */
const wires: Beast[] = [
  ['a redirect', reply('302 Found', '', 'location: http://127.0.0.1:1/'), 'Unanswered'],
  ['a redirect with an object', reply('307 Temporary', '{}', 'location: /elsewhere'), 'Unanswered'],
  ['gzip though identity was asked for', ok(gzipSync('{}'), gzip), 'Unanswered', anyShape],
  ['a gzip bomb', ok(gzipSync(Buffer.alloc(5_000_000, 32)), gzip), 'Unanswered'],
  ['gzip that is none', ok('{}', gzip), 'Unanswered'],
  ['an unheard-of encoding', ok('junk', 'content-encoding: rot13'), 'Unanswered'],
  ['a body over the limit', ok(`"${' '.repeat(2_000_000)}"`), 'Unanswered'],
  ['a Content-Length that promises more', raw('200 OK', ['content-length: 500'], '{}'), 'Unanswered'],
  ['a Content-Length that promises less', raw('200 OK', ['content-length: 5'], '{"success":true}'), 'Unanswered'],
  ['a Content-Length of 9 TB', raw('200 OK', ['content-length: 9000000000000'], '{}'), 'Unanswered'],
  ['two Content-Lengths', raw('200 OK', ['content-length: 2', 'content-length: 3'], '{}'), 'Unanswered'],
  ['chunked garbage', raw('200 OK', [chunked], `zz${crlf}{}${crlf}`), 'Unanswered'],
  ['chunks without an end', raw('200 OK', [chunked], `2${crlf}{}${crlf}`), 'Unanswered'],
  ['closed before a byte', '', 'Unanswered'],
  ['closed within the headers', `HTTP/1.1 200 OK${crlf}content-ty`, 'Unanswered'],
  ['another protocol', `220 mail.example.com ESMTP${crlf}`, 'Unanswered'],
  [
    '101 Switching Protocols',
    raw('101 Switching Protocols', ['upgrade: h2c', 'connection: upgrade'], ''),
    'Unanswered',
  ],
  ['100 and 103 before HTML', Buffer.concat([interim, ok(page)]), 'Unanswered'],
  ['headers of 100 KB', raw('200 OK', [`x: ${'x'.repeat(100_000)}`, 'content-length: 2'], '{}'), 'Unanswered'],
]

const zoo = [...bodies, ...refusals, ...wires]

/** What arrives before the connection hangs. */
const hanging: [name: string, bytes: string | Buffer][] = [
  ['headers that hang', `HTTP/1.1 200 OK${crlf}`],
  ['a body that hangs', raw('200 OK', ['content-length: 99'], '{')],
  ['silence', ''],
]

/** What each operation makes of a server that sends these bytes; one that hangs does not close the connection after them. */
const outcomesOf = async (bytes: string | Buffer, hangs = false): Promise<Record<string, string>> => {
  await using t = await setupAgainstSocket(
    (socket) =>
      socket.once('data', () => {
        socket.write(bytes)
        if (!hangs) socket.end()
      }),
    { request: { timeout: hangs ? 100 : 60_000, retries: 0, maxBodyBytes: 1_000_000 } },
  )
  const ask = async (name: OperationName) => [name, await outcomeOf(operations[name](t.registry))] as const
  const outcomes = await Promise.all(names.filter((name) => name !== 'token.refresh').map(ask))
  // Calls wait for a token that is being renewed, so it is renewed by itself.
  return Object.fromEntries([...outcomes, await ask('token.refresh')])
}

/** Every failure must be one of the closed set, and show neither the document nor a token. */
const outcomeOf = async (call: Promise<unknown>): Promise<string> => {
  try {
    await call
    return 'answer'
  } catch (failure) {
    expect(failure).toBeInstanceOf(CallFailure)
    const { name, message } = failure as CallFailure
    expect(message).not.toMatch(/52998224725|529\.982\.247-25|secret-/)
    return name
  }
}

/** A refresh that is refused leaves a dead token. */
const all = (outcome: string) => {
  const isRefusal = !['Unanswered', 'TooManyRequests'].includes(outcome)
  return {
    ...Object.fromEntries(names.map((name) => [name, outcome])),
    ...(isRefusal && { 'token.refresh': 'TokenDead' }),
  }
}

test.each(zoo)('each of the 12 operations survives %s', async (_, bytes, outcome, except) => {
  expect(await outcomesOf(bytes)).toEqual({ ...all(outcome), ...except })
})

test.each(hanging)('each of the 12 operations survives %s', async (_, bytes) => {
  expect(await outcomesOf(bytes, true)).toEqual(all('Unanswered'))
})

test('an endless body is cut off at the limit', async () => {
  let written = 0
  const chunk = Buffer.alloc(65_536, 32)
  await using t = await setupAgainst(
    (_request, response) => {
      const pour = () => {
        while (!response.destroyed && response.write(chunk)) written += chunk.length
      }
      response.on('drain', pour)
      pour()
    },
    { request: { timeout: 5_000, retries: 0, maxBodyBytes: 1_000_000 } },
  )
  await expect(t.registry.processes.count(cpf, account)).rejects.toThrow('more than 1000000 bytes')
  expect(written).toBeLessThan(20_000_000)
})
