import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { readTable } from '../../../src/batches/read-layout.ts'
import { FileProblem } from '../../../src/files/file-problem.ts'
import { readInThread, threadLimits } from '../../../src/files/thread/read-in-thread.ts'
import { inPortuguese } from '../../../src/messages/message.ts'
import { partsOf, zipOf } from '../xlsx/hand-made.ts'

const request = { kind: 'analysis', choice: {}, remembered: [] } as const
const opening = (content: string | Buffer) =>
  async function* () {
    yield Buffer.from(content)
  }
const module = new URL('./endless-task.ts', import.meta.url)
const open = opening('cpf\n12345678909\n')

test.each([
  { takes: 'time', limits: { ...threadLimits, milliseconds: 50 }, reason: ['parse_slow', 1] },
  { takes: 'memory', limits: { ...threadLimits, heapMiB: 24 }, reason: ['parse_large', 24] },
])('if a file takes too much $takes, only its own reading ends', async ({ takes, limits, reason }) => {
  await expect(readInThread({ module, input: takes, open, limits })).rejects.toMatchObject({
    code: 'parse_limit',
    reason,
  })

  await using table = await readTable(open, request)
  expect(table.headers).toEqual(['cpf'])
})

test('a problem of a file leaves the thread with its original message', async () => {
  const problem = await readTable(opening('cpf\n123\0\n'), request).catch((error) => error)

  expect(problem).toBeInstanceOf(FileProblem)
  expect(problem).toMatchObject({ code: 'nul', line: 2, reason: ['at_line', 2, ['nul']] })
  expect(inPortuguese(problem.reason)).toContain('linha 2: um caractere NUL')
})

test('a failure of the source is reported as it is, and not as a fault of the file', async () => {
  const broken = Object.assign(new Error('the disk is full'), { code: 'ENOSPC' })
  const failing = async function* () {
    yield Buffer.from('cpf\n')
    throw broken
  }

  await expect(readTable(failing, request)).rejects.toBe(broken)
})

test('the text of a sheet outlives the thread that unpacked it, and is read any number of times', async () => {
  const rows = '<row r="1"><c t="inlineStr"><is><t>cpf</t></is></c></row><row r="2"><c><v>12345678909</v></c></row>'
  await using table = await readTable(opening(zipOf(partsOf(rows))), request)

  const texts = await Promise.all([buffer(table.open()), buffer(table.open())])
  expect(texts.map(String)).toEqual(['cpf\r\n12345678909\r\n', 'cpf\r\n12345678909\r\n'])
  expect(table.sheet).toMatchObject({ name: 'Plan1', columns: 1 })
})

test('files are read side by side, each with its own bytes', async () => {
  const names = Array.from({ length: 6 }, (_, i) => `nome ${i}`)
  const tables = await Promise.all(names.map((name) => readTable(opening(`cpf;${name}\n12345678909;x\n`), request)))

  expect(tables.map(({ headers }) => headers)).toEqual(names.map((name) => ['cpf', name]))
})
