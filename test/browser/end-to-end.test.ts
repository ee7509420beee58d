import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { cpf, cpfs } from '../support/documents.ts'
import { until } from '../support/until.ts'
import { browse } from './browse.ts'
import { drop } from './drop.ts'
import { batchOver, downloaded, rowsBySheet } from './take-away.ts'

/** As Excel in Brazil saves it: semicolons, Windows-1252, CRLF. */
const excelFile = (): Buffer => {
  const rows = cpfs(30).map((document, i) => `José Conceição ${i};${document};São Paulo`)
  return Buffer.from(
    `Nome;CPF;Cidade\r\n${rows.join('\r\n')}\r\nErrado;123;Olinda\r\nRepetido;${cpf(3)};Recife\r\n`,
    'latin1',
  )
}

test('a file is dropped on the page, quoted, approved, followed and downloaded, in Portuguese', async () => {
  await using t = await browse()
  const page = await t.signedIn('ops', { locale: 'pt-BR' })
  await drop(page, 'clientes março.csv', excelFile())
  await page.waitForURL('**/batches/1')
  await page.getByRole('button', { name: 'Aprovar até 30 consultas pagas' }).waitFor()

  const preview = await page.locator('main').innerText()
  expect(preview).toContain('WINDOWS-1252')
  expect(preview).toContain('José Conceição 0')
  expect(preview).toContain('aguardando aprovação')
  expect(preview).not.toContain(cpf(0))
  expect(t.sandbox.charges()).toBe(0)

  await page.getByRole('button', { name: 'Aprovar até 30 consultas pagas' }).click()
  await batchOver(page)
  const workbook = await downloaded(page, 'Planilha Excel')
  expect(workbook.suggestedFilename()).toBe('clientes março.1.report.xlsx')
  const sheets = await rowsBySheet(await workbook.path())
  expect(Object.keys(sheets)).toEqual(['Resultados', 'Resumo', 'Rejeitados', 'Sobre'])
  expect(sheets.Resultados![1]!.slice(0, 4)).toEqual(['José Conceição 0', cpf(0), 'São Paulo', 'respondido'])
  // A header, 31 rows with an answer, and the rejected one in its place.
  expect(sheets.Resultados).toHaveLength(33)
  const download = await downloaded(page, 'Relatório (CSV)')
  expect(download.suggestedFilename()).toBe('clientes março.1.report.csv')
  const report = (await readFile(await download.path(), 'utf8')).split('\r\n')
  expect(report[1]).toMatch(/^José Conceição 0;\d{11};São Paulo;ok;;yes;/)
  expect(report.filter((line) => line.includes(';ok;'))).toHaveLength(31)
  expect(t.sandbox.charges()).toBe(30)

  await page.goto('/batches')
  await drop(page, 'outro nome.csv', excelFile())
  await page.getByText('Este arquivo já foi enviado').waitFor()
  expect(t.sandbox.charges()).toBe(30)
  expect(t.complaints).toEqual([])
})

test('a batch that ends does not cancel a click that leads to another page', async () => {
  await using t = await browse()
  const page = await t.signedIn('ops')
  const ended = Promise.withResolvers<void>()
  await page.exposeFunction('ended', () => ended.resolve())
  await page.evaluate(`addEventListener('beforeunload', () => setTimeout(() => {
    document.dispatchEvent(new Event('over'))
    ended()
  }))`)
  await page.route('**/radars', async (route) => {
    await ended.promise
    await route.continue()
  })
  await page.locator('header nav a[href="/radars"]').click()
  await page.waitForURL('**/radars')
})

test('a file that cannot be read is refused with a reason, and the page stays', async () => {
  await using t = await browse()
  const page = await t.signedIn('ops')
  await drop(page, 'image.csv', Buffer.from([0x50, 0x4b, 3, 4, 0, 0, 0, 0, 20, 0]))
  await page.getByRole('alert').filter({ hasText: 'save it anew' }).waitFor()
  await page.setInputFiles('input[type="file"]', {
    name: 'names.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(`cpf;nome;nome\n${cpf(1)};Ana;Recife\n`),
  })
  await page.getByRole('button', { name: 'Read the file' }).click()
  await page.getByRole('alert').filter({ hasText: 'More than one column is named' }).waitFor()
})

test('a file above the limit is refused while it arrives', async () => {
  await using t = await browse({ config: { web: { maxUploadBytes: 20_000 } } })
  const page = await t.signedIn('ops')
  await drop(page, 'large.csv', Buffer.from(`cpf\n${'12345678909\n'.repeat(10_000)}`))
  await page.getByRole('alert').filter({ hasText: 'larger than this server accepts' }).waitFor()
  expect(await t.sql`select id from vigia.file`).toHaveLength(0)
})

test('a batch is paused and resumed, and the page shows it as it happens', async () => {
  await using t = await browse({ config: { concurrency: { worker: 1, fleet: 1 } } })
  t.sandbox.setScenario({ latency: { all: 60 } })
  const page = await t.signedIn('ops')
  const id = await t.submit(`cpf\n${cpfs(400).join('\n')}\n`)
  await page.goto(`/batches/${id}`)
  await page.getByRole('button', { name: 'Pause' }).click()
  await page.getByText('Paused. Answers already paid for are still fetched.').waitFor()
  const doneAt = async () => Number(await page.locator('#live progress').getAttribute('value'))
  await until(async () => (await t.sql`select from vigia.lookup where state in ('sending', 'waiting')`).length === 0)
  const paused = await t.sql`select rows from vigia.batch_count where batch_id = ${id}`

  await page.getByRole('button', { name: 'Resume' }).click()
  await page.getByText('Resumed.').waitFor()
  const before = await doneAt()
  await until(async () => (await doneAt()) > before)
  expect(Number(paused[0]?.rows ?? 0)).toBeLessThan(400)
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.locator('.state-cancelled').waitFor()
  expect(t.complaints).toEqual([])
})

test('the table of rows updates with the counts, and the notice of an action is shown once', async () => {
  await using t = await browse({ config: { concurrency: { worker: 1, fleet: 1 } } })
  t.sandbox.setScenario({ latency: { all: 40 } })
  const page = await t.signedIn('ops')
  const id = await t.submit(`cpf\n${cpfs(300).join('\n')}\n`)
  await page.goto(`/batches/${id}`)
  await page.locator('#line-51').waitFor()
  await page.evaluate(() => Object.assign(window, { sameLoad: true }))
  await page.getByRole('button', { name: 'Show more' }).click()
  await page.locator('#line-101').waitFor()
  await page.locator('#row-lines .outcome-ok').nth(2).waitFor()
  expect(await page.locator('#row-lines tr:not(.more)').count()).toBe(100)
  expect(await page.evaluate(() => 'sameLoad' in window)).toBe(true)

  await page.getByRole('button', { name: 'Pause' }).click()
  await page.getByText('Paused. Answers already paid for are still fetched.').waitFor()
  expect(page.url()).not.toContain('notice')
  await page.reload()
  await page.locator('.state-paused').waitFor()
  expect(await page.getByText('Paused. Answers already paid for are still fetched.').count()).toBe(0)
  expect(t.complaints).toEqual([])
})
