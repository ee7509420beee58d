import { expect, test } from 'vitest'
import { workbookOf } from '../batches/people-workbook.ts'
import { cpf } from '../support/documents.ts'
import { browse } from './browse.ts'
import { drop } from './drop.ts'
import { batchOver, downloaded, rowsBySheet } from './take-away.ts'

test('a workbook with a title and an unknown header is dropped, its column is chosen, the quote is approved, and the workbook comes back', async () => {
  await using t = await browse()
  const page = await t.signedIn('ops', { locale: 'pt-BR' })
  const bytes = workbookOf({
    Carteira: {
      1: ['Carteira de novembro'],
      3: ['Cliente', 'Doc. Cliente', 'Valor'],
      4: ['Ana', cpf(1), 10.5],
      5: ['Rui', Number(cpf(2)), 20],
      6: ['Eva', 'sem documento', 30],
    },
  })
  await drop(page, 'carteira.xlsx', bytes)
  await page.waitForURL('**/uploads/1')
  await page.getByRole('heading', { name: 'Escolha as colunas' }).waitFor()
  expect(await page.getByLabel('Linha do cabeçalho').inputValue()).toBe('3')
  expect(await page.locator('main').innerText()).not.toContain(cpf(1))
  const documents = page.getByLabel('Coluna Doc. Cliente')
  expect(await documents.inputValue()).toBe('documento')
  await documents.selectOption('documento')
  await page.getByLabel('Coluna Cliente', { exact: true }).selectOption('nome')
  await page.getByRole('button', { name: 'Ler o arquivo' }).click()

  await page.waitForURL('**/batches/1')
  await page.getByRole('button', { name: 'Aprovar até 2 consultas pagas' }).waitFor()
  expect(await page.locator('main').innerText()).toContain('Carteira')
  expect(t.sandbox.charges()).toBe(0)
  await page.getByRole('button', { name: 'Aprovar até 2 consultas pagas' }).click()
  await batchOver(page)
  expect(t.sandbox.charges()).toBe(2)
  const { Resultados, Rejeitados } = await rowsBySheet(await (await downloaded(page, 'Planilha Excel')).path())
  expect(Resultados?.map((cells) => cells.slice(0, 4))).toEqual([
    ['Carteira de novembro'],
    ['Cliente', 'Doc. Cliente', 'Valor', expect.any(String)],
    ['Ana', cpf(1), '10.5', 'respondido'],
    ['Rui', String(Number(cpf(2))), '20', 'respondido'],
    ['Eva', 'sem documento', '30', 'rejeitado'],
  ])
  expect(Rejeitados?.at(-1)).toContain('sem documento')

  await page.goto('/batches')
  await drop(page, 'carteira.xlsx', bytes)
  await page.getByText('Este arquivo já foi enviado').waitFor()
  expect(t.complaints).toEqual([])
})
