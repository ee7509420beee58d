import { expect, test } from 'vitest'
import { readStoredFile } from '../../src/batches/stored-file.ts'
import { renderPerson } from '../../src/cli/lines/person.ts'
import { eraseDocument } from '../../src/monitoring/erase-document.ts'
import { lookAtPerson } from '../../src/monitoring/read-person.ts'
import type { Database } from '../../src/store/connect.ts'
import { toPersonView } from '../../src/views/person.ts'
import { addList, run } from '../portfolios/runs.ts'
import { cpf } from '../support/documents.ts'
import { setup } from '../support/setup.ts'
import { sharedGround } from './ground.ts'

const required = { scr: { requireAuthorization: true } }

const t = sharedGround(required)

const reasonsOf = (sql: Database, batchId: bigint) =>
  sql<{ line: number; reason: string | null }[]>`
    select line, reject_reason as reason from vigia.batch_row where batch_id = ${batchId} order by line`

test('an SCR row without an authorization is rejected with that reason where one is required', async () => {
  const text = `cpf;Data da autorização\n${cpf(1)};12/03/2026\n${cpf(2)};\n${cpf(3)};não\n${cpf(4)};TERMO-77\n123;x\n`
  const scr = await t.imported(text, { kind: 'scr' })
  expect(scr).toMatchObject({ rows: 5, rejected: 3 })
  expect(await reasonsOf(t.sql, scr.id)).toEqual([
    { line: 2, reason: null },
    { line: 3, reason: 'authorization' },
    { line: 4, reason: 'authorization' },
    { line: 5, reason: null },
    { line: 6, reason: 'length' },
  ])
  expect(await t.imported(text, { kind: 'processes' })).toMatchObject({ rejected: 1 })
})

test('the authorization is shown in the record of the person, masked, and goes with the row', async () => {
  await t.answered(`cpf;autorizacao\n${cpf(1)};TERMO ${cpf(1)}\n${cpf(2)};T-2\n`, { kind: 'scr' })
  const record = await lookAtPerson(t.sql, { type: 'CPF', number: cpf(1) }, { by: 'test' })
  const shown = toPersonView(record, { prices: null, retention: t.settings.retention })
  expect(shown.rows).toMatchObject([{ line: 2, authorization: expect.stringMatching(/^TERMO \*\*\*/) }])
  expect(record.rows).toMatchObject([{ authorization: `TERMO ${cpf(1)}` }])

  await eraseDocument(t.tools, cpf(1), 'test')
  const [{ fileId } = { fileId: 0n }] = await t.sql<{ fileId: bigint }[]>`select file_id from vigia.batch`
  let stored = ''
  for await (const bytes of readStoredFile(t.sql, fileId)) stored += Buffer.from(bytes).toString()
  expect(stored).toContain('T-2')
  expect(stored).not.toContain('TERMO')
  expect((await lookAtPerson(t.sql, { type: 'CPF', number: cpf(1) }, { by: 'test' })).rows).toEqual([])
})

test('a portfolio keeps authorizations for its runs, and rejects documents without one', async () => {
  await using t = await setup({ config: required })
  await addList(t, 'clientes', `cpf;autorizacao\n${cpf(1)};T-1\n${cpf(2)};\n`, 'scr')
  await run(t)
  const [batch] = await t.sql<{ id: bigint }[]>`select id from vigia.batch`
  expect((await reasonsOf(t.sql, batch!.id)).map(({ reason }) => reason)).toEqual([null, 'authorization'])
  const record = await lookAtPerson(t.sql, { type: 'CPF', number: cpf(1) }, { by: 'test' })
  expect(record.portfolios).toMatchObject([{ authorization: 'T-1' }])
  expect(record.rows).toMatchObject([{ authorization: 'T-1' }])
  const shown = toPersonView(record, { prices: null, retention: t.settings.retention })
  const lines = renderPerson({ ...shown, traces: { texts: [], storedFiles: [], files: [] } }, 'UTC').split('\n')
  const at = lines.findIndex((line) => line.startsWith('PORTFOLIO'))
  expect(lines[at]).toMatch(/AUTHORIZATION +SINCE/)
  expect(lines[at + 1]).toMatch(/^clientes .* T-1 /)
})
