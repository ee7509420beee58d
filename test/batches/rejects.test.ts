import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { rowsIn } from '../files/xlsx/hand-made.ts'
import { cpf } from '../support/documents.ts'
import { statesOf } from '../support/purchase-ledger.ts'
import { setup } from '../support/setup.ts'

test('a row with an unclosed quote comes back as it was, and runs once the quote is closed', async () => {
  await using t = await setup()
  const first = await t.submit(`documento;nome;cidade\n${cpf(1)};Ana;SP\n${cpf(2)};"Bia;Rio\n`)
  await t.finished(first)
  const rejects = await readFile(join(t.home, `outbox/people.${first}/people.rejects.csv`), 'utf8')
  expect(rejects).toContain(`\n${cpf(2)};"Bia;Rio;3;quotes;`)

  const unmended = await t.submit(`${rejects}\n`)
  await t.finished(unmended)
  const again = await readFile(join(t.home, `outbox/people.${unmended}/people.rejects.csv`), 'utf8')
  expect(again).toContain(`\n${cpf(2)};"Bia;Rio;2;quotes;`)

  const patched = await t.submit(rejects.replace('"Bia', '"Bia"'))
  await t.finished(patched)
  expect(await statesOf(t.sql, patched)).toEqual({ ok: 1 })
})

test('rows that nobody fixed lose nothing, however often their rejects are dropped again', async () => {
  await using t = await setup()
  const rejectsOf = async (text: string) => {
    const batch = await t.submit(text, { format: 'xlsx' })
    await t.finished(batch)
    const path = join(t.home, `outbox/people.${batch}/people`)
    const [, ...rows] = await rowsIn(await readFile(`${path}.report.xlsx`), 'Rejeitados')
    return { text: await readFile(`${path}.rejects.csv`, 'utf8'), cells: rows.map(({ cells }) => cells.slice(3)) }
  }

  const tooMany = `Ana;${cpf(1)};paid; late`
  const unclosed = `"Silva; Bia";${cpf(2)};"Rio; de Janeiro`
  const first = await rejectsOf(`nome;documento;obs\n${tooMany}\n${unclosed}\n`)
  const second = await rejectsOf(first.text)
  const third = await rejectsOf(second.text)

  for (const { text, cells } of [first, second, third]) {
    expect(text).toContain(`\n${tooMany};2;columns;`)
    expect(text).toContain(`\n${unclosed};3;quotes;`)
    expect(cells).toEqual([tooMany.split(';'), unclosed.split(';')])
  }
  expect(third.text).toBe(second.text)
})
