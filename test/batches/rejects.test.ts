import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { statesOf } from '../support/books.ts'
import { cpf } from '../support/documents.ts'
import { setup } from '../support/setup.ts'

test('a row with a quote that was never closed comes back as it was, and runs once it is closed', async () => {
  await using t = await setup()
  const first = await t.submit(`documento;nome;cidade\n${cpf(1)};Ana;SP\n${cpf(2)};"Bia;Rio\n`)
  await t.finished(first)
  const rejects = await readFile(join(t.home, `outbox/people.${first}/people.rejects.csv`), 'utf8')
  expect(rejects).toContain(`\n${cpf(2)};"Bia;Rio;3;quotes;`)

  const unmended = await t.submit(`${rejects}\n`)
  await t.finished(unmended)
  const again = await readFile(join(t.home, `outbox/people.${unmended}/people.rejects.csv`), 'utf8')
  expect(again).toContain(`\n${cpf(2)};"Bia;Rio;2;quotes;`)

  const mended = await t.submit(rejects.replace('"Bia', '"Bia"'))
  await t.finished(mended)
  expect(await statesOf(t.sql, mended)).toEqual({ ok: 1 })
})
