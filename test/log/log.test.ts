import { test as property } from '@fast-check/vitest'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createLog } from '../../src/log/log.ts'
import { registerSecret } from '../../src/log/mask.ts'
import { runs } from '../support/runs.ts'
import { cnpj, cpf, letterCnpj, written } from './documents.ts'

/** Every way in which a text has ever got into a log. */
const paths: Record<string, (log: ReturnType<typeof createLog>, text: string) => void> = {
  message: (log, text) => log.info(`look-up of ${text} done`),
  'message with a placeholder': (log, text) => log.info('look-up of %s done', text),
  value: (log, text) => log.info({ document: text }, 'done'),
  key: (log, text) => log.info({ [text]: 1, [`id:${text}`]: 2 }, 'done'),
  array: (log, text) => log.info({ list: ['a', text, [text]] }, 'done'),
  nested: (log, text) => log.info({ a: { b: [{ c: { d: text } }] } }, 'done'),
  address: (log, text) => log.info({ url: `https://registry/v1/scr/indicators/${text}?q=${text}#${text}` }, 'done'),
  'error message and stack': (log, text) => log.error(new Error(`GET /document/${text} answered 500`)),
  'error beside a message': (log, text) => log.error({ err: new TypeError(text) }, 'call failed'),
  'cause of an error': (log, text) => log.error(new Error('outer', { cause: new Error(`inner ${text}`) })),
  'property of an error': (log, text) =>
    log.error(Object.assign(new Error('failed'), { detail: `Key (cpf)=(${text})` })),
  'bytes read as text': (log, text) => log.info({ body: Buffer.from(`{"x":"${text}"}`).toString() }, 'done'),
  'JSON in a string': (log, text) => log.info({ body: JSON.stringify({ lines: `a\n${text}\n`, text }) }, 'done'),
  'lines of a file': (log, text) => log.info({ sample: `a;b\n${text};x\n"${text}";y\t${text}\r\n` }, 'done'),
  'child bindings': (log, text) => log.child({ document: text }).info('done'),
  number: (log, text) => log.info({ document: /^[1-9]\d+$/.test(text) ? Number(text) : text }, 'done'),
}

const allWritten = fc.oneof(written(cpf), written(cnpj), written(letterCnpj))

property.prop([allWritten, fc.constantFrom(...Object.keys(paths)), fc.boolean()], runs(600))(
  'no document reaches the output, whichever way it is written and takes',
  ({ number, text }, path, pretty) => {
    const output = capture((log) => paths[path]?.(log, text), pretty)
    expect(bare(output)).not.toContain(number)
    expect(output).not.toContain(text)
    if (!pretty) expect(() => JSON.parse(output)).not.toThrow()
  },
)

const jwtPart = fc.string({ unit: fc.constantFrom(...'abcXYZ019_-'), minLength: 10, maxLength: 40 })

property.prop([jwtPart, jwtPart, jwtPart, fc.constantFrom(...Object.keys(paths))])(
  'no bearer token, JWT or operator token reaches the output',
  (head, body, signature, path) => {
    const jwt = `eyJ${head}.${body}.${signature}`
    for (const text of [jwt, `Bearer ${body}`, `vig_${signature}`]) {
      const output = capture((log) => paths[path]?.(log, text))
      expect(output).not.toContain(text)
      expect(() => JSON.parse(output)).not.toThrow()
    }
  },
)

test('writes one line of JSON with the facts, the phrase and an exact time', () => {
  const line = JSON.parse(capture((log) => log.info({ batch: 7, rows: 120_000 }, 'batch imported')))
  expect(line).toMatchObject({ level: 30, batch: 7, rows: 120_000, msg: 'batch imported', pid: process.pid })
  expect(Math.abs(Date.now() - line.time)).toBeLessThan(10_000)
})

test('says nothing below its level', () => {
  expect(capture((log) => log.debug('detail'))).toBe('')
})

test('is readable for a person where it is asked to be', () => {
  const output = capture((log) => log.warn({ batch: 7 }, 'lane held'), true)
  expect(output).toMatch(/WARN.*lane held/)
  expect(output).toContain('batch')
})

/**
 * With a mark that no other text has, and after the other properties: a registered value stays hidden in all later lines
 * of the process, and slows the masking of each.
 */
const token = fc
  .string({ minLength: 8, maxLength: 60 })
  .filter((text) => text.trim() === text)
  .map((text) => `${text.slice(0, 4)}§${text.slice(4)}`)

property.prop([token, fc.constantFrom(...Object.keys(paths))])(
  'no registered secret reaches the output',
  (secret, path) => {
    registerSecret(secret)
    const output = capture((log) => paths[path]?.(log, secret))
    const everything = JSON.stringify(flatten(JSON.parse(output)))
    expect(everything).not.toContain(secret)
  },
)

const lines: string[] = []
const stream = { write: (line: string) => void lines.push(line) }
const [plain, readable] = [false, true].map((pretty) => createLog({ level: 'info', pretty, stream }))

const capture = (write: (log: ReturnType<typeof createLog>) => void, pretty = false): string => {
  lines.length = 0
  write((pretty ? readable : plain)!)
  return lines.join('')
}

const bare = (text: string) => text.replace(/[./\- ]|%2F/gi, '').toUpperCase()

/** What a reader of the JSON sees: names and texts, without the escapes. */
const flatten = (value: unknown): unknown[] => {
  if (value === null || typeof value !== 'object') return [value]
  return Object.entries(value).flatMap(([name, member]) => [name, ...flatten(member)])
}
