import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { exitCodeOf } from '../../src/cli/files/run-result.ts'
import { readBatch } from '../../src/store/batches/batches.ts'
import { call } from '../cli/call.ts'
import { cpf } from '../support/documents.ts'
import { environmentOf, setup } from '../support/setup.ts'
import { setupWeb } from '../web/setup.ts'

const wrong = 'documento;nome\n12345678900;Ana\nabc;Rui\n'

test('a batch whose rows are all rejected ends as rejected, needs no approval and gives its rows back', async () => {
  await using t = await setup()
  const id = await t.submit(wrong, { confirmAbove: -1 })
  await t.finished(id)
  expect(await readBatch(t.sql, id)).toMatchObject({ state: 'rejected', rows: 2, rejected: 2 })
  const rejects = await readFile(join(t.home, `outbox/people.${id}/people.rejects.csv`), 'utf8')
  expect(rejects).toMatch(/12345678900;Ana;2;.*\nabc;Rui;3;/s)

  const { exitCode, stdout } = await call(['batch', String(id), '--watch', '--json'], {
    ...environmentOf(t.sandbox, t.databaseUrl, t.home),
    LOG_LEVEL: 'fatal',
  })
  expect(exitCode).toBe(3)
  expect(JSON.parse(stdout)).toMatchObject({
    state: 'rejected',
    problem: expect.stringContaining('none of the 2 rows'),
  })
})

test('a file with one readable row is done, and a run is as good as its worst file', () => {
  const { signal } = new AbortController()
  const result = { ending: 'done', unanswered: 0, quote: null, rows: 2, states: { ok: 1, rejected: 1 } }
  const refused = { ...result, ending: 'rejected', rows: 0, states: {} }
  const rejected = { ...result, ending: 'rejected', states: { rejected: 2 } }
  expect(exitCodeOf([result], signal)).toBe(0)
  expect(exitCodeOf([result, rejected], signal)).toBe(3)
  expect(exitCodeOf([rejected, refused], signal)).toBe(1)
})

test('the page shows rejected and cancelled batches as not done', async () => {
  await using t = await setupWeb()
  const token = await t.operator('ops')
  const rejected = await t.submit(wrong)
  await t.finished(rejected)
  const cancelled = await t.submit(`documento\n${cpf(1)}\n${cpf(2)}\n`, { confirmAbove: -1 })
  await t.call(`/batches/${cancelled}/cancel`, { token, method: 'POST' })
  await t.finished(cancelled)
  const list = await (await t.call('/batches', { token })).text()
  expect(list).toContain('badge state-rejected')
  expect(list).not.toMatch(/100\s*%/)
  const page = await (await t.call(`/batches/${rejected}`, { token })).text()
  expect(page).toMatch(/notice warn.*none of the 2 rows/s)
  expect(page).not.toMatch(/button primary" href="[^"]*files\//)
  expect(page).toContain('files/rejects')
})
