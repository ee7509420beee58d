import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startInbox } from '../../src/batches/inbox/start-inbox.ts'
import { workbookOf } from '../batches/people-workbook.ts'
import { cpf } from '../support/documents.ts'
import { type Browsing, browse } from './browse.ts'
import { drop } from './drop.ts'
import { batchOver, downloaded, rowsBySheet } from './take-away.ts'

const [cnpj1, cnpj2] = ['11222333000181', '11444777000161']

const takenByInbox = async (t: Browsing, name: string, bytes: string | Buffer): Promise<void> => {
  const settings = { ...t.settings, import: { ...t.settings.import, settle: 0 } }
  const inbox = await startInbox({ ...t.tools, settings, accounts: t.running.accounts })
  await writeFile(join(t.tools.home.inbox, name), bytes)
  await inbox.scan()
  await inbox.stop()
}

test('a file without a header that the inbox refused is read with two columns of documents', async () => {
  await using t = await browse()
  await takenByInbox(t, 'socios.csv', `Ana;${cpf(1)};${cnpj1}\nRui;${cpf(2)};${cnpj2}\nEva;${cpf(3)};\n`)
  const page = await t.signedIn('ops', { locale: 'pt-BR' })
  const refused = page.getByRole('row').filter({ hasText: 'socios.csv' })
  expect(await refused.innerText()).toContain('podem conter o documento')
  await refused.getByRole('link', { name: 'Escolher colunas' }).click()
  await page.waitForURL('**/uploads/1')
  expect(await page.getByLabel('Sem cabeçalho').isChecked()).toBe(true)
  await page.getByLabel('Coluna 1').selectOption('nome')
  await page.getByLabel('Coluna 2').selectOption('documento')
  await page.getByLabel('Coluna 3').selectOption('documento')
  await page.getByRole('button', { name: 'Ler o arquivo' }).click()

  await page.waitForURL('**/batches/1')
  await page.getByRole('button', { name: 'Aprovar até 5 consultas pagas' }).click()
  await batchOver(page)
  expect(t.sandbox.charges()).toBe(5)
  const shown = (await page.locator('main').innerText()).replaceAll(/\s+/g, ' ')
  expect(shown).toMatch(/Linhas 3 Documentos 6 .*Situações respondido 5 rejeitado 1/)
  const { Resultados, Rejeitados } = await rowsBySheet(await (await downloaded(page, 'Planilha Excel')).path())
  expect(Resultados?.map((cells) => cells.slice(0, 4))).toEqual([
    ['nome', 'documento_2', 'documento_3', 'documento_2: Situação'],
    ['Ana', cpf(1), cnpj1, 'respondido'],
    ['Rui', cpf(2), cnpj2, 'respondido'],
    ['Eva', cpf(3), '', 'respondido'],
  ])
  expect(Rejeitados).toHaveLength(1)
  await page.goto('/batches')
  expect(await page.getByText('Arquivos recusados').count()).toBe(0)
  expect(t.complaints).toEqual([])
})

test('the sheets that are not read are named, and a button reads them all', async () => {
  await using t = await browse()
  const page = await t.signedIn('ops', { locale: 'pt-BR' })
  const sheets = { Base: { 1: ['CPF'], 2: [cpf(1)] }, Filial: { 1: ['CPF'], 2: [cpf(2)], 3: [cpf(3)] } }
  await drop(page, 'base.xlsx', workbookOf(sheets))
  await page.waitForURL('**/batches/1')
  await page.getByText('Não lida, embora tenha documentos: Filial').waitFor()
  await page.getByRole('button', { name: 'Escolher colunas' }).click()
  await page.getByRole('button', { name: 'Ler todas as abas: Base, Filial' }).click()
  await page.waitForURL('**/batches/2')
  await page.getByRole('button', { name: 'Aprovar até 3 consultas pagas' }).waitFor()
  expect(t.complaints).toEqual([])
})

test('a batch in which every row is rejected is no success: it has the colour of a warning', async () => {
  await using t = await browse()
  const page = await t.signedIn('ops', { locale: 'pt-BR' })
  await drop(page, 'ruim.csv', Buffer.from('nome;cpf\nAna;123\nRui;456\n'))
  await page.waitForURL('**/batches/1')
  const badge = page.locator('.badge.state-rejected')
  await badge.waitFor()
  expect(await badge.innerText()).toBe('rejeitado')
  expect(await page.locator('main').innerText()).toContain('nenhuma das 2 linhas pode ser consultada')
  expect(await page.locator('.downloads .primary').count()).toBe(0)
  const colourOf = (variable: string) =>
    page.evaluate((name) => {
      const probe = document.createElement('i')
      probe.style.color = `var(${name})`
      document.body.append(probe)
      const { color } = getComputedStyle(probe)
      probe.remove()
      return color
    }, variable)
  expect(await badge.evaluate((each) => getComputedStyle(each).color)).toBe(await colourOf('--warn'))
  expect(t.complaints).toEqual([])
})
