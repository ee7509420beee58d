import { join } from 'node:path'
import { expect, test } from 'vitest'
import { importBatch } from '../../jobs/import-batch.ts'
import { outboxFolder } from '../../src/batches/export.ts'
import { cancelBatch } from '../../src/batches/pause-resume-cancel.ts'
import { resolveRow } from '../../src/batches/resolve.ts'
import { quoteRetry, retryBatch } from '../../src/batches/retry.ts'
import type { ReadOptions } from '../../src/files/columns/read-options.ts'
import { eraseDocument } from '../../src/monitoring/erase-document.ts'
import { findTraces } from '../../src/monitoring/read-person.ts'
import { accounts } from '../../src/sandbox/tokens.ts'
import { type Batch, readBatch } from '../../src/store/batches/batches.ts'
import { countsOf } from '../../src/store/batches/counts.ts'
import type { Database } from '../../src/store/connect.ts'
import { tracesOf } from '../monitoring/traces.ts'
import { cnpjOf, cpf } from '../support/documents.ts'
import { readCsv, sheetsIn } from '../support/read-report.ts'
import { type Setup, setup } from '../support/setup.ts'
import { spellings } from '../support/spellings.ts'
import { until } from '../support/until.ts'
import { boughtId, resolving, retrying, spentToday, steering } from './decisions.ts'
import { setupGround } from './ground.ts'
import { workbookOf } from './people-workbook.ts'
import { kill, runProcess, startProcess } from './run-process.ts'

const names = ['CPF_SOCIO', 'CNPJ_EMPRESA'] as const
const choice: ReadOptions = { columns: { documento: [...names] } }
const cnpj = (n: number) => cnpjOf(String(112_223_330_001 + n * 10_000))

/** A file with a partner and a company in each row. */
const partners = (rows: [string, string][]): string =>
  ['ref;CPF_SOCIO;CNPJ_EMPRESA', ...rows.map((row, i) => [`r${i}`, ...row].join(';')), ''].join('\n')

const pairs = (count: number) => Array.from({ length: count }, (_, i): [string, string] => [cpf(i), cnpj(i)])

/** The documents of all rows as they are stored. */
const partsOf = (sql: Database, batchId: bigint) => sql<
  { line: number; part: number; pays: boolean; lookup: bigint | null; outcome: string; question: string | null }[]
>`
  select r.line, r.part, r.pays, l.id as lookup, vigia.row_outcome(r, l) as outcome, l.question
    from vigia.batch_row r left join vigia.lookup l on l.id = r.lookup_id
   where r.batch_id = ${batchId}
   order by r.line, r.part`

const reportOf = (t: Setup, batch: Batch) => readCsv(join(outboxFolder(t.tools.home, batch), 'people.report.csv'))

const statuses = (report: Record<string, string>[]) =>
  report.map((row) => [row.ref, ...names.map((name) => row[`${name}.result_status`])])

test('an importer that stops in the middle of a file leaves the rest to the next one, each document once', async () => {
  await using t = await setupGround()
  const rows = 20_000
  const text = partners(
    Array.from({ length: rows }, (_, i) => [
      i % 7 === 0 ? 'junk' : cpf(i % 9_000),
      i % 11 === 0 ? '' : cnpj(i % 7 === 0 && i % 2 === 0 ? 0 : i % 5_000),
    ]),
  )
  const expected = async (id: bigint) => {
    const { state, rows, rejected, toBePaid, importedTo, documentsPerRow } = (await readBatch(t.sql, id))!
    const stored = await t.sql`
      select r.line, r.part, r.start_at, r.size, r.pays, r.repair, r.reject_reason, r.message, l.question
        from vigia.batch_row r left join vigia.lookup l on l.id = r.lookup_id
       where r.batch_id = ${id}
       order by r.line, r.part`
    return { batch: { state, rows, rejected, toBePaid, importedTo, documentsPerRow }, stored: [...stored] }
  }
  const untouched = await expected((await t.imported(text, { choice, organizationId: accounts[1].organizationId })).id)
  expect(untouched.batch).toMatchObject({ state: 'running', rows, documentsPerRow: 2 })
  expect(untouched.stored).toHaveLength(2 * rows)

  const stopped = await t.submit(text, { choice })
  await importBatch.work({ batchId: String(stopped) }, { ...t.tools, signal: AbortSignal.abort() })
  const { importedTo, importedAt } = (await readBatch(t.sql, stopped))!
  expect(importedAt).toBeNull()
  expect(importedTo).toBeGreaterThan(1)
  expect(importedTo).toBeLessThan(rows)
  expect(await partsOf(t.sql, stopped)).toHaveLength(2 * (importedTo - 1))
  await importBatch.work({ batchId: String(stopped) }, t.tools)
  expect(await expected(stopped)).toEqual(untouched)

  const killed = await t.submit(`${text}\n`, { choice, organizationId: 3 })
  const env = { ...t.env, BATCH: String(killed) }
  for (const share of [0.05, 0.5]) {
    const child = startProcess('import-process.ts', env)
    await until(async () => (await readBatch(t.sql, killed))!.importedTo >= (share + Math.random() * 0.3) * rows)
    await kill(child)
  }
  await Promise.all([1, 2].map(() => runProcess('import-process.ts', env)))
  expect(await expected(killed)).toEqual(untouched)
})

/** Both answers about the second of three rows are lost, and the registry's list proves nothing. */
const bothParked = async () => {
  const t = await setup({ config: { request: { timeout: '2s', retries: 0 } } })
  const lost = { operation: 'generate', fault: 'closedAfter', times: 1 } as const
  const faults = [cpf(1), cnpj(1)].map((document) => ({ ...lost, document }))
  t.sandbox.setScenario({ faults, activities: { limit: 0 } })
  const id = await t.submit(partners(pairs(3)), { choice })
  await t.finished(id)
  expect(await countsOf(t.sql, id)).toEqual({ ok: 4, unknown_outcome: 2 })
  t.sandbox.setScenario({ activities: {} })
  return { t, id }
}

test('of two parked documents of a row, the one whose column is named is settled, and without a column neither', async () => {
  const { t, id } = await bothParked()
  await using _ = t
  const before = await partsOf(t.sql, id)
  const at = (column?: string) => ({ line: 3, ...(column && { column }) })
  const adopt = { adopt: await boughtId(t, cpf(1)) }
  for (const resolution of ['resend', 'drop', adopt] as const) {
    await expect(resolveRow(t.sql, id, at(), resolution, resolving(t))).rejects.toThrow(
      `Several documents at line 3 of batch ${id} are parked: name the column, CPF_SOCIO, CNPJ_EMPRESA`,
    )
  }
  await expect(resolveRow(t.sql, id, at('CNPJ_EMPRESA'), adopt, resolving(t))).rejects.toThrow('lists no purchase')
  await expect(resolveRow(t.sql, id, at('ref'), 'drop', resolving(t))).rejects.toThrow('CPF_SOCIO, CNPJ_EMPRESA')
  expect(await partsOf(t.sql, id)).toEqual(before)

  expect(await resolveRow(t.sql, id, at('CNPJ_EMPRESA'), 'resend', resolving(t))).toEqual({ column: 'CNPJ_EMPRESA' })
  const resent = await t.finished(id)
  expect(await countsOf(t.sql, id)).toEqual({ ok: 5, unknown_outcome: 1 })
  expect(statuses(await reportOf(t, resent))).toEqual([
    ['r0', 'ok', 'ok'],
    ['r1', 'unknown_outcome', 'ok'],
    ['r2', 'ok', 'ok'],
  ])
  await expect(resolveRow(t.sql, id, at('CNPJ_EMPRESA'), 'drop', resolving(t))).rejects.toThrow('is ok, not parked')

  expect(await resolveRow(t.sql, id, at(), adopt, resolving(t))).toEqual({ column: 'CPF_SOCIO' })
  const adopted = await t.finished(id)
  expect(statuses(await reportOf(t, adopted))).toEqual(pairs(3).map((_, i) => [`r${i}`, 'ok', 'ok']))
  expect(adopted).toMatchObject({ state: 'done', spent: 6 })
  expect(await spentToday(t)).toBe(6)
  expect((await partsOf(t.sql, id)).filter(({ pays }) => pays)).toHaveLength(6)
})

test('a retry asks only the documents that ended without an answer, and the report has each row once', async () => {
  await using t = await setup()
  const rows: [string, string][] = [...pairs(5), [cpf(0), cnpj(2)], [cpf(1), cpf(1)], ['', cnpj(3)]]
  const id = await t.submit(partners(rows), { choice, maxSpend: 6 })
  await t.finished(id)
  const before = await partsOf(t.sql, id)
  const failed = before.filter(({ outcome }) => outcome === 'over_budget')
  const failing = new Set(failed.map(({ question }) => question))
  const isFailing = ({ question }: { question: string | null }) => failing.has(question)
  expect(failing.size).toBe(4)
  expect(t.sandbox.charges()).toBe(6)

  const asked = t.sandbox.ledger.requests.length
  const lines = new Set(failed.map(({ line }) => line)).size
  expect(await quoteRetry(t.sql, id, retrying(t))).toMatchObject({ rows: lines, documents: 4, toBePaid: 4 })
  expect(await retryBatch(t.sql, id, { ...retrying(t, ['over_budget']), maxSpend: 10 })).toBe(lines)
  const batch = await t.finished(id)

  const sent = t.sandbox.ledger.requests.slice(asked).filter(({ operation }) => operation === 'generate')
  expect(sent.map(({ document }) => document).toSorted()).toEqual([...failing].toSorted())
  expect(t.sandbox.charges()).toBe(10)
  expect(batch).toMatchObject({ state: 'done', spent: 10 })
  const after = await partsOf(t.sql, id)
  expect(after.filter((each) => !isFailing(each))).toEqual(before.filter((each) => !isFailing(each)))
  expect(after.filter(({ pays }) => pays)).toHaveLength(10)
  expect(statuses(await reportOf(t, batch))).toEqual(
    rows.map(([first], i) => [`r${i}`, first === '' ? 'rejected' : 'ok', 'ok']),
  )
})

test('the rows of a cancelled batch come back once, with a cancelled block for each document that was not asked', async () => {
  await using t = await setup({ sandbox: { scenario: { latency: { generate: 20 } } } })
  const rows: [string, string][] = [...pairs(200), ['junk', cnpj(900)], [cpf(900), '']]
  const id = await t.submit(partners(rows), { choice })
  await until(async () => t.sandbox.charges() > 5)
  await cancelBatch(t.sql, id, steering(t))
  const batch = await t.finished(id)

  const report = await reportOf(t, batch)
  expect(report.map(({ ref }) => ref)).toEqual(rows.map((_, i) => `r${i}`))
  const outcomes = statuses(report).flatMap(([, ...each]) => each)
  const count = (outcome: string) => outcomes.filter((each) => each === outcome).length
  expect(count('ok')).toBe(t.sandbox.charges())
  expect(count('rejected')).toBe(2)
  expect(count('cancelled')).toBe(2 * rows.length - 2 - t.sandbox.charges())
  expect(count('cancelled')).toBeGreaterThan(0)
  expect(batch).toMatchObject({ state: 'cancelled', rows: rows.length, spent: t.sandbox.charges() })
  const [{ manifest } = {}] = await t.sql`select manifest from vigia.batch where id = ${id}`
  expect(manifest).toMatchObject({ rows: rows.length, total: 2 * rows.length, complete: true })
})

test('erasing the person of one document leaves nothing of that document, and the other of its row as it was', async () => {
  await using t = await setup()
  const person = cpf(7)
  const written = Object.values(spellings(person))
  const rows: [string, string][] = [
    ...written.map((text, i): [string, string] => [text, cnpj(i)]),
    [cpf(8), person],
    [person, person],
    [cpf(9), cnpj(50)],
    ['junk', person],
  ]
  const text = partners(rows)
  const csv = await t.finished(await t.submit(text, { choice }))
  const sheet = workbookOf({
    Plan1: Object.fromEntries(
      [['ref', ...names], ...rows.map((row, i) => [`r${i}`, ...row])].map((row, i) => [i + 1, row]),
    ),
  })
  const xlsx = await t.finished(await t.submit(sheet, { choice, fileName: 'people.xlsx' }))
  const batches = [csv, xlsx]
  const isOther = ({ question }: { question: string | null }) => question !== person
  const before = await Promise.all(batches.map(async ({ id }) => (await partsOf(t.sql, id)).filter(isOther)))
  const answers = () => t.sql`
    select a.* from vigia.answer a join vigia.lookup l on l.id = a.lookup_id
     where l.question <> ${person} and l.question not like 'erased:%' order by a.lookup_id`
  const [answersBefore, reportBefore] = [await answers(), await reportOf(t, csv)]
  const workbook = (batch: Batch) => join(outboxFolder(t.tools.home, batch), 'people.report.xlsx')
  const charges = t.sandbox.charges()

  const erased = await eraseDocument(t.tools, person, 'test')
  expect(erased.batches.toSorted()).toEqual(batches.map(({ id }) => id).toSorted())
  for (const { id } of batches) await t.finished(id)

  expect(await tracesOf(t.sql, t.home, written)).toEqual([])
  const nothing = { texts: [], storedFiles: [], files: [] }
  expect(await findTraces({ sql: t.sql, home: t.tools.home }, person)).toEqual(nothing)
  const sheets = Object.values(await sheetsIn(workbook(xlsx)))
  const cells = sheets.flat().flatMap((row) => row.cells)
  expect(cells.filter((cell) => written.some((each) => cell.includes(each)))).toEqual([])

  const after = await Promise.all(batches.map(async ({ id }) => await partsOf(t.sql, id)))
  for (const [i, parts] of after.entries()) {
    expect(parts).toHaveLength(2 * rows.length)
    const others = new Set(before[i]!.map(({ line, part }) => `${line} ${part}`))
    expect(parts.filter(({ line, part }) => others.has(`${line} ${part}`))).toEqual(before[i])
  }
  expect(await answers()).toEqual(answersBefore)
  const report = await reportOf(t, (await readBatch(t.sql, csv.id))!)
  expect(report).toHaveLength(reportBefore.length)
  const blockOf = (row: Record<string, string>, name: string) =>
    Object.fromEntries(Object.entries(row).filter(([header]) => header.startsWith(`${name}.`)))
  for (const [i, row] of rows.entries()) {
    for (const [at, name] of names.entries()) {
      if (written.includes(row[at]!)) continue
      expect(blockOf(report[i]!, name), `${name} of row ${i}`).toEqual(blockOf(reportBefore[i]!, name))
    }
  }
  expect(t.sandbox.charges()).toBe(charges)
})
