import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { exportBatch } from '../../src/batches/export.ts'
import { cpf } from '../support/documents.ts'
import { setupGround } from './ground.ts'
import { workbookOf } from './people-workbook.ts'

const people = [1, 2, 3, 4].map((n) => [`Pessoa ${n}, Sra`, cpf(n), `R$ ${n},50`])
const csv = `${people.map((row) => row.join(';')).join('\n')}\nTotal;4;x\n`

const filesOf = async (t: Awaited<ReturnType<typeof setupGround>>, id: bigint) => {
  const options = { folder: t.home.outbox, now: new Date(), timezone: 'America/Sao_Paulo', language: 'en' as const }
  const { report, rejects } = await exportBatch(t.sql, id, options)
  return Promise.all(
    [report, rejects].map(async (path) => (await readFile(path, 'utf8')).slice(1).trimEnd().split('\n')),
  )
}

test('every line of a file without a header comes back, under a header with the roles of its columns', async () => {
  await using t = await setupGround()
  const batch = await t.imported(csv)
  expect(batch).toMatchObject({ rows: 5, rejected: 1 })
  const [report, rejects] = await filesOf(t, batch.id)
  expect(report?.[0]).toMatch(/^;documento;;result_status;/)
  expect(report?.slice(1).map((line) => line.split(';').slice(0, 3))).toEqual(people)
  expect(rejects?.[0]).toMatch(/^;documento;;reject_line/)
  expect(rejects?.[1]).toMatch(/^Total;4;x;5;/)
})

test('a sheet without a header is found among the others, and all of its rows are read', async () => {
  await using t = await setupGround()
  const workbook = workbookOf({ Capa: { 1: ['Relatório'] }, Base: { 1: people[0]!, 2: people[1]! } })
  const batch = await t.imported(workbook, { fileName: 'base.xlsx' })
  expect(batch).toMatchObject({ rows: 2, rejected: 0, layout: { sheet: 'Base', header: null } })
})

test('without a header by choice, the first line is a row whatever it holds', async () => {
  await using t = await setupGround()
  const batch = await t.imported(`nome;CPF\n${people.map((row) => row.slice(0, 2).join(';')).join('\n')}\n`, {
    choice: { headerLine: 0, columns: { documento: '2', nome: '1' } },
  })
  expect(batch).toMatchObject({ rows: 5, rejected: 1 })
  expect(await t.sql`select id from vigia.column_choice`).toHaveLength(0)
})
