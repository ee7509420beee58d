import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { readStatus } from '../../src/batches/batch-or-refuse.ts'
import type { CommandContext } from '../../src/cli/command.ts'
import { createProgress } from '../../src/cli/files/follow.ts'
import { cpfs, csvOf } from '../support/documents.ts'
import { setup } from '../support/setup.ts'

test('on a terminal each batch has one line, drawn anew in place and no wider than the terminal', async () => {
  await using t = await setup()
  const ids = [await t.submit(csvOf(cpfs(3))), await t.submit(csvOf(cpfs(2, 100)))]
  for (const id of ids) await t.finished(id)
  const statuses = await Promise.all(ids.map((id) => readStatus(t.sql, id, new Date())))
  const stderr = Object.assign(new PassThrough(), { isTTY: true, columns: 90 })
  const progress = createProgress({ stderr } as unknown as CommandContext)

  progress.show(statuses, new Date())
  progress.show(statuses, new Date())
  progress.end()

  const drawn = String(stderr.read())
  expect(drawn.startsWith('\x1b[?25l')).toBe(true)
  expect(drawn.endsWith('\x1b[?25h')).toBe(true)
  const last = drawn.slice(drawn.lastIndexOf('\x1b[2A'))
  const lines = last.split('\n').slice(0, -1)
  expect(lines).toEqual([expect.stringContaining('3/3'), expect.stringContaining('2/2')])
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what moves the cursor takes no column.
  for (const line of lines) expect(line.replace(/[\r\x1b](\[\d*[A-Z])?/g, '').length).toBeLessThan(90)
})
