import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { exportBatch } from '../../src/batches/export.ts'
import type { ReportFormat } from '../../src/domain/batch.ts'
import { formatDocument } from '../../src/domain/document.ts'
import type { Kind } from '../../src/domain/kind.ts'
import { changesCsv, changesHeader } from '../../src/monitoring/changes-file.ts'
import { type Ground, setupGround } from '../batches/ground.ts'
import { cpf } from '../support/documents.ts'
import { formulaPayloads } from './formula-payloads.ts'
import { officeDocument, opened, openedCsv } from './open-in-office.ts'

test.runIf(officeDocument)('LibreOffice would make formulas of them if they were written unchanged', async () => {
  await using t = await setupGround()
  const path = join(t.home.path, 'raw.csv')
  writeFileSync(path, formulaPayloads.map((payload) => `"${payload.replaceAll('"', '""')}"`).join('\r\n'))
  const [sheet] = openedCsv([path], ';', t.home.path)
  expect(formulasIn(sheet!)).toBeGreaterThan(30)
})

test.runIf(officeDocument).each([';', ','])(
  'of 500 payloads in each text that the registry brings, none is a formula in a report with %s',
  async (delimiter) => {
    await using t = await setupGround()
    expect(formulaPayloads.length).toBeGreaterThanOrEqual(500)
    const reports: string[] = []
    for (const kind of kinds) reports.push((await reportOf(t, kind, delimiter)).report)
    for (const [i, sheet] of openedCsv(reports, delimiter, t.home.path).entries()) {
      expect(formulasIn(sheet), kinds[i]).toBe(0)
      checkShape(reports[i]!, delimiter)
    }
  },
)

test.runIf(officeDocument)(
  'of 500 payloads in each text that the registry brings, none is a formula in a workbook',
  async () => {
    await using t = await setupGround()
    const workbooks: string[] = []
    for (const kind of kinds) workbooks.push((await reportOf(t, kind, ';', 'xlsx')).workbook!)
    for (const [i, workbook] of opened(workbooks, t.home.path).entries()) {
      // LibreOffice itself makes formulas of booleans.
      expect(formulasIn(workbook.replaceAll('table:formula="of:=TRUE()"', '')), kinds[i]).toBe(0)
      expect(workbook.match(/>zqx\d+</g), kinds[i]).toHaveLength(formulaPayloads.length)
    }
  },
)

test.runIf(officeDocument)('of 500 names and figures in a file of changes, none is a formula', async () => {
  await using t = await setupGround()
  const path = join(t.home.path, 'changes.csv')
  const change = { id: 1n, sweepId: 7n, organizationId: 7001n, weight: 1n, seenAt: new Date(0) }
  const renamed = formulaPayloads.map((text, n) => ({
    ...{ ...change, document: cpf(n), name: text, before: text, after: text },
    ...{ field: 'name', verdict: 'renamed' as const },
  }))
  const worse = { field: 'RISK_WORKER_value', verdict: 'worse' as const, before: '0.00', after: '1234.56' }
  const changes = [...renamed, { ...change, ...worse, document: cpf(1_000), name: 'Ação; "Ana"' }]
  writeFileSync(path, `\uFEFF${changesHeader()}${changesCsv(changes, () => null, 'America/Sao_Paulo')}`)
  const [sheet] = openedCsv([path], ';', t.home.path)
  expect(formulasIn(sheet!)).toBe(0)
  expect(sheet).toContain(formatDocument(cpf(formulaPayloads.length - 1)))
  for (const text of ['office:value="1234.56"', 'RISK_WORKER_value', 'Ação']) expect(sheet).toContain(text)
})

const formulasIn = (sheet: string): number => sheet.match(/table:formula=/g)?.length ?? 0

/** A payload that breaks out of its cell moves its neighbours, or makes an additional row. */
const checkShape = (path: string, delimiter: string): void => {
  const rows: string[][] = parse(readFileSync(path), { bom: true, delimiter })
  expect(rows).toHaveLength(formulaPayloads.length + 1)
  expect(rows.map((row) => row[1])).toEqual(['ref', ...formulaPayloads.map((_, n) => `zqx${n}`)])
}

const kinds = ['analysis', 'cnh', 'scr', 'processes', 'radar', 'inactivation'] as const

/** Writes the payloads to every text of an answer of that kind, without the cleaning of incoming text. */
const reportOf = async (t: Ground, kind: Kind, delimiter: string, format: ReportFormat = 'csv') => {
  const batch = await t.imported(fileOf(kind, delimiter), { kind, fileName: `${kind}.csv` })
  await t.sql`
    update vigia.lookup
       set state = 'failed', due_at = null, finished_at = now(), as_of = now(),
           remote_id = payload.text, seen = payload.text, message = jsonb_build_array('text', payload.text)
      from (select id as lookup_id, ${formulaPayloads}::text[] as all_texts,
                   row_number() over (order by id) as n from vigia.lookup where batch_id = ${batch.id}) as numbered,
           lateral (select all_texts[n] as text) as payload
     where lookup.id = numbered.lookup_id`
  await t.sql`
    insert into vigia.answer (lookup_id, counts, cents, amounts, total, data)
    select id, array_fill(7, array[20]), array_fill(null::bigint, array[20]), array_fill(remote_id, array[20]), 3,
           jsonb_build_object('radarId', remote_id, 'status', remote_id, 'active', true, remote_id, remote_id)
      from vigia.lookup where batch_id = ${batch.id}`
  const options = { folder: join(t.home.outbox, `${batch.id}`), now: new Date(0), settings: t.settings }
  return exportBatch(t.sql, batch.id, { ...options, format })
}

const fileOf = (kind: Kind, delimiter: string): string => {
  const header = kind === 'inactivation' ? 'numero_processo' : 'documento'
  const rows = formulaPayloads.map((_, n) => (kind === 'inactivation' ? processNumber(n) : cpf(n)))
  return `${header}${delimiter}ref\r\n${rows.map((row, n) => `${row}${delimiter}zqx${n}`).join('\r\n')}\r\n`
}

/** With the check digits of module 97 that courts use. */
const processNumber = (n: number): string => {
  const number = String(n).padStart(7, '0')
  const check = 98n - ((BigInt(`${number}20208260100`) * 100n) % 97n)
  return `${number}-${String(check).padStart(2, '0')}.2020.8.26.0100`
}
