import { expect, test } from 'vitest'
import { maskDocument } from '../../src/domain/document.ts'
import { ptBr } from '../../src/messages/labels.ts'
import { ageByMonth, run } from '../portfolios/runs.ts'
import { cpf, cpfs, csvOf } from '../support/documents.ts'
import { browse } from './browse.ts'

const risk = (count: number) => ({ figures: { RISK_WORKER: { count, cents: count * 1_000_00 } } })

test('a portfolio is added, runs, shows its differences, gets another list and is removed, on a phone in Portuguese', async () => {
  const { portfolios: labels, notices } = ptBr
  await using t = await browse()
  const page = await t.signedIn('ops', { locale: 'pt-BR', viewport: { width: 390, height: 900 } })
  const file = (documents: string[]) => ({
    name: 'lista.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(csvOf(documents)),
  })
  for (const document of cpfs(4)) t.sandbox.plantChange(document, risk(0))

  await page.goto('/portfolios')
  await page.getByText(labels.empty).waitFor()
  await page.getByLabel(ptBr.radars.name).fill('Carteira Sul')
  await page.getByLabel(labels.file).setInputFiles(file(cpfs(4)))
  await page.getByRole('button', { name: ptBr.rules.addSubmit, exact: true }).click()
  await page.waitForURL('**/portfolios/Carteira%20Sul*')
  await page.getByText(labels.noRuns).waitFor()
  expect(t.sandbox.charges()).toBe(0)

  await run(t)
  await ageByMonth(t)
  t.sandbox.plantChange(cpf(1), risk(2))
  await run(t)
  expect(t.sandbox.charges()).toBe(8)
  await page.goto('/portfolios')
  await page.getByRole('link', { name: 'Carteira Sul' }).click()
  await page.getByRole('heading', { name: labels.lastDifferences }).waitFor()
  expect(await page.locator('main').innerText()).toContain(maskDocument(cpf(1)))
  expect(await page.locator('main').innerText()).not.toContain(cpf(1))
  await page.getByRole('link', { name: ptBr.risk.compareSubmit }).click()
  await page.waitForURL('**/compare?with=*')
  await page.goBack()

  await page.getByLabel(labels.file).setInputFiles(file([...cpfs(3), cpf(9)]))
  await page.getByRole('button', { name: labels.syncSubmit }).click()
  await page.getByRole('heading', { name: labels.syncTitle('Carteira Sul') }).waitFor()
  const preview = await page.locator('main').innerText()
  expect(preview).toContain(maskDocument(cpf(9)))
  expect(preview).toContain(maskDocument(cpf(3)))
  expect(await t.sql`select document from vigia.portfolio_document where document = ${cpf(9)}`).toHaveLength(0)
  await page.getByRole('button', { name: labels.take }).click()
  await page.getByText(notices.portfolio_synced).waitFor()
  expect(await t.sql`select document from vigia.portfolio_document where document = ${cpf(9)}`).toHaveLength(1)
  expect(t.sandbox.charges()).toBe(8)

  await page.getByRole('button', { name: ptBr.batch.pause, exact: true }).click()
  await page.getByText(labels.whenResumed).waitFor()
  await page.getByRole('button', { name: ptBr.batch.resume, exact: true }).click()
  await page.getByRole('button', { name: ptBr.batch.pause, exact: true }).waitFor()
  await page.getByRole('button', { name: ptBr.rules.remove, exact: true }).click()
  await page.getByText(notices.portfolio_removed).waitFor()
  await page.getByText(labels.empty).waitFor()
  expect(t.complaints).toEqual([])
})
