import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { exportBatch } from '../../src/batches/export.ts'
import { partsOf, zipOf } from '../files/xlsx/hand-made.ts'
import { cpf } from '../support/documents.ts'
import { setupGround } from './ground.ts'

const cell = (text: string) => `<c t="inlineStr"><is><t xml:space="preserve">${text}</t></is></c>`
const row = (...cells: string[]) => `<row>${cells.join('')}</row>`
const number = (value: number) => `<c><v>${value}</v></c>`

test('text of a sheet that would start a formula is inert in the CSV files, and numbers stay numbers', async () => {
  await using t = await setupGround()
  const workbook = zipOf(
    partsOf(
      [
        row(cell('=== Clientes; todos ===')),
        row(cell('documento'), cell('@nota'), cell('valor'), cell('fone')),
        row(cell(cpf(1)), cell('=HYPERLINK(&quot;http://x&quot;;1)'), number(-5.25), cell('+5511999998888')),
        row(cell(cpf(2)), cell(' -2+3|cmd'), number(-1.5e19), cell('a=b')),
        row(cell('123'), cell('@SUM(A1)'), number(7), cell('=1')),
      ].join(''),
    ),
  )
  const batch = await t.imported(workbook, { format: 'csv' })
  const folder = join(t.home.outbox, 'out')
  const defaults = { language: 'en', prices: null } as const
  await exportBatch(t.sql, batch.id, { folder, timezone: 'America/Sao_Paulo', now: new Date(), defaults })

  const files = await readdir(folder)
  const lines = async (part: string) =>
    (await readFile(join(folder, files.find((name) => name.includes(part)) as string), 'utf8')).split('\r\n')
  const [title, header, first, second] = await lines('.report.')
  expect(title).toBe(`\uFEFF"'=== Clientes; todos ==="`)
  expect(header).toMatch(/^documento;'@nota;valor;fone;result_status/)
  expect(first).toMatch(new RegExp(`^${cpf(1)};"'=HYPERLINK\\(""http://x"";1\\)";-5,25;\\+5511999998888;`))
  expect(second).toMatch(new RegExp(`^${cpf(2)};' -2\\+3\\|cmd;-1,5E\\+19;a=b;`))
  expect((await lines('.rejects.'))[2]).toMatch(/^123;'@SUM\(A1\);7;'=1;/)
})

test('cells of a CSV come back as they were, whatever they start with', async () => {
  await using t = await setupGround()
  const batch = await t.imported(`documento;nota\r\n${cpf(1)};=1+1\r\n`)
  const folder = join(t.home.outbox, 'out')
  const defaults = { language: 'en', prices: null } as const
  await exportBatch(t.sql, batch.id, { folder, timezone: 'America/Sao_Paulo', now: new Date(), defaults })

  const report = (await readdir(folder)).find((name) => name.includes('.report.')) as string
  expect(await readFile(join(folder, report), 'utf8')).toContain(`\r\n${cpf(1)};=1+1;`)
})
