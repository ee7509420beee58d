import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import { main } from '../../src/cli/main.ts'
import { cpf, cpfs, csvOf } from '../support/documents.ts'
import { install, installHere } from './vigia-process.ts'

/** The keys of a document in alphabetical order, its lists shown by their first element: `entries[at, detail{}, id]`. */
const keysOf = (value: unknown): string => {
  if (Array.isArray(value)) return `[${keysOf(value[0]).slice(1, -1)}]`
  if (value === null || typeof value !== 'object') return ''
  const named = Object.entries(value).map(([key, inner]) => `${key}${keysOf(inner)}`)
  return `{${named.sort().join(', ')}}`
}

test('the keys of every --json document stay the same', async () => {
  await using t = await install()
  const file = await t.write('clientes.csv', csvOf([...cpfs(3), '123']))
  const documents: Record<string, unknown> = {}
  for (const args of [
    ['plan', file],
    ['run', '--yes', file],
    ['submit', file],
    ['batches'],
    ['batch', '1'],
    ['batch', '1', '--line', '2'],
    ['batch', '1', '--line', '5'],
    ['export', '1'],
    ['retry', '1'],
    ['lane', 'hold', '7001/scr'],
    ['lanes'],
    ['lane', 'resume', '7001/scr'],
    ['audit'],
  ]) {
    const name = args.flatMap((text) => (text === '--yes' ? [] : text === file ? 'FILE' : text)).join(' ')
    const { exitCode, ...document } = await t.json(...args)
    expect(exitCode).toBe(0)
    documents[name] = keysOf(document)
  }
  expect(documents).toMatchSnapshot()
})

test('a terminal never shows a full document, and no table is wider than it', async () => {
  await using t = await installHere()
  await t.vigia('run', '--yes', await t.write(`${'nome comprido '.repeat(5)}.csv`, csvOf(cpfs(3))))
  const stdout = Object.assign(new PassThrough(), { columns: 70 })
  const { signal } = new AbortController()
  await main(['batches'], { env: t.env, stdout, stderr: new PassThrough(), signal })
  stdout.end()
  const table = await text(stdout)
  expect(Math.max(...table.split('\n').map((line) => stripVTControlCharacters(line).length))).toBe(70)

  const row = ['batch', '1', '--line', '2']
  const shown = await Promise.all([t.vigia(...row), t.vigia(...row, '--json'), t.vigia('audit')])
  const all = shown.reduce((joined, { stdout, stderr }) => joined + stdout + stderr, table)
  expect(all).toContain('***.')
  for (const document of cpfs(3)) expect(all).not.toContain(document)
  expect(all).not.toContain(cpf(0).slice(0, 9))
})
