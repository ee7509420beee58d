import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inPortuguese } from '../../../src/messages/message.ts'
import { englishTexts } from '../../support/english-texts.ts'
import type { Outcome } from './hostile-process.ts'
import { hostileWorkbooks } from './hostile-workbooks.ts'

type Report = { ends: Record<string, Outcome & { milliseconds: number }>; kibibytes: number }

const hostile = hostileWorkbooks()
let folder: string
let report: Report

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vigia-hostile-'))
  await Promise.all(hostile.map(({ bytes }, i) => writeFile(join(folder, `${i}`), bytes)))
  const { stdout } = await promisify(execFile)('node', [join(import.meta.dirname, 'hostile-process.ts'), folder])
  report = JSON.parse(stdout)
}, 180_000)

afterAll(() => rm(folder, { recursive: true, force: true }))

test.each(hostile.map(({ name, code, says }, i) => ({ name, code, says, i })))(
  '$name ends in a sentence ($code)',
  ({ code, says, i }) => {
    expect(report.ends[i]).toMatchObject({ code, message: expect.stringContaining(says) })
  },
)

test('no problem leaves English in a Portuguese sentence, except for the messages of unpackers', () => {
  const ours = Object.values(report.ends).filter(({ reason }) => !JSON.stringify(reason).includes('["text",'))
  expect(ours.length).toBeGreaterThan(hostile.length - 5)
  const shown = ours.map(({ message, reason }) => (reason ? inPortuguese(reason) : message))
  expect(shown.filter((sentence) => englishTexts.test(sentence))).toEqual([])
})

test('all of them together take less memory than is allowed for a large workbook', () => {
  expect(hostile.length).toBeGreaterThanOrEqual(30)
  expect(report.kibibytes / 1024).toBeLessThan(200)
})
