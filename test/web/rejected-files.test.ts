import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startInbox } from '../../src/batches/inbox/start-inbox.ts'
import { eraseDocument } from '../../src/monitoring/erase-document.ts'
import { purgeExpired } from '../../src/monitoring/purge-expired.ts'
import { listRejected } from '../../src/store/batches/uploads.ts'
import { workbookOf } from '../batches/people-workbook.ts'
import { bodiesOf, startMailbox } from '../notify/mailbox.ts'
import { cpf, csvOf } from '../support/documents.ts'
import { until } from '../support/until.ts'
import { setupWeb, type WebSetup } from './setup.ts'

const alerts = (config: object = {}) => ({
  config: { alerts: { email: { from: 'vigia@example.com', to: ['ana@example.com'] } }, ...config },
})

/** Drops files into the inbox and waits until they were taken. */
const drop = async (t: WebSetup, files: Record<string, string | Buffer>): Promise<void> => {
  const settings = { ...t.settings, import: { settle: 0 } }
  const inbox = await startInbox({ ...t.tools, settings, accounts: t.running.accounts })
  const { home } = t.tools
  for (const [name, text] of Object.entries(files)) await writeFile(join(home.inbox, name), text)
  await inbox.scan()
  await inbox.stop()
}

const unclear = (n: number) => `Cliente;Doc. Cliente\nAna;${cpf(n)}\n`

test('a file that the inbox rejects is notified, listed with its reason, and read after a person chose its columns', async () => {
  await using mailbox = await startMailbox()
  const web = { publicUrl: 'https://vigia.example.com' }
  await using t = await setupWeb({ ...alerts({ web, budget: { perBatch: 7 } }), env: { SMTP_URL: mailbox.url } })
  const token = await t.operator('ops', 'bia')
  await drop(t, { [`carteira ${cpf(9)}.csv`]: unclear(1) })
  await drop(t, { 'vazio.csv': '' })

  await until(async () => mailbox.received.length >= 2)
  const mails = mailbox.received.map(bodiesOf).join('\n')
  expect(mails).toContain('Recusado: carteira ***')
  expect(mails).toContain('Recusado: vazio.csv')
  expect(mails).toContain('Abrir no Vigia: https://vigia.example.com/uploads/1')
  expect(mails).toContain('Abrir no Vigia: https://vigia.example.com/batches#rejected')
  expect(mails).not.toContain(cpf(9))
  expect(await t.sql`select severity from vigia.alert where about = 'file.rejected'`).toEqual(
    Array(2).fill({ severity: 'warning' }),
  )
  const page = await t.page('/batches', token)
  expect(page).toMatch(/carteira \*\*\*.*?Doc\. Cliente.*?href="\/uploads\/1">Choose columns</s)
  expect(page).toMatch(/vazio\.csv.*?the file is empty.*?Fix the file/s)
  expect(page).not.toContain('href="/uploads/2"')
  const analyst = await t.operator('analyst', 'carla')
  expect(await t.page('/batches', analyst)).not.toContain('vazio.csv')

  expect(await t.page('/uploads/1', token)).toContain('Doc. Cliente')
  const read = await t.post('/uploads/1', token, { headerLine: '1', 'header-1': 'Doc. Cliente', 'role-1': 'documento' })
  expect(read.headers.get('location')).toBe('/batches/1')
  expect(await t.sql`select max_spend as "maxSpend", submitted_by as "by" from vigia.batch`).toEqual([
    { maxSpend: 7, by: 'bia' },
  ])
  expect((await t.call('/uploads/2', { token })).status).toBe(404)
  const dismissed = await t.post('/uploads/2/dismiss', token)
  expect(dismissed.headers.get('location')).toBe('/batches')
  expect(await t.page('/batches', token)).not.toContain('id="rejected"')
  expect((await t.post('/uploads/2/dismiss', token)).status).toBe(404)
})

test('a rejected file leaves the list when one of its name is accepted, and is listed once if it is rejected again', async () => {
  await using t = await setupWeb()
  await drop(t, { 'a.csv': unclear(1) })
  await drop(t, { 'a.csv': unclear(1) })
  expect(await listRejected(t.sql, 9)).toMatchObject([{ id: 2n, fileName: 'a.csv', kept: true }])
  await drop(t, { 'b.csv': csvOf([cpf(2)]) })
  expect(await listRejected(t.sql, 9)).toHaveLength(1)

  await drop(t, { 'a.csv': csvOf([cpf(1)]) })
  expect(await listRejected(t.sql, 9)).toEqual([])
  expect(
    await t.sql`select f.id from vigia.file f where not exists (select from vigia.batch b where b.file_id = f.id)`,
  ).toEqual([])
})

test('erasing a person takes only rejected files that hold the person, and the purge takes those of retention.unconfirmed', async () => {
  await using t = await setupWeb()
  await drop(t, { 'hers.csv': unclear(1), 'his.csv': unclear(2), 'empty.csv': '' })
  await eraseDocument(t.tools, cpf(1), 'admin')
  const names = async () => (await listRejected(t.sql, 9)).map(({ fileName }) => fileName).sort()
  expect(await names()).toEqual(['empty.csv', 'his.csv'])

  const inDays = (days: number) => ({ ...t.tools, clock: () => new Date(Date.now() + days * 86_400_000) })
  await purgeExpired(inDays(29))
  expect(await names()).toEqual(['empty.csv', 'his.csv'])
  await purgeExpired(inDays(31))
  expect(await names()).toEqual([])
})

test('a file without the purpose that is required is kept until a person names one', async () => {
  await using t = await setupWeb({ config: { purpose: { required: true } } })
  const token = await t.operator('ops', 'bia')
  await drop(t, { 'a.csv': csvOf([cpf(1)]) })
  const page = await t.page('/batches', token)
  expect(page).toMatch(/a\.csv.*?a purpose is required.*?href="\/uploads\/1"/s)
  expect(await t.page('/uploads/1', token)).toMatch(/name="purpose"[^>]* required/)
  const answer = (fields: Record<string, string>) => t.post('/uploads/1', token, { headerLine: '1', ...fields })
  expect((await answer({})).status).toBe(422)
  expect((await answer({ legalBasis: 'credit' })).headers.get('location')).toBe('/batches/1')
  expect(await t.sql`select purpose from vigia.batch`).toEqual([{ purpose: 'credit' }])
})

test('reading all sheets of a kept file asks for the purpose that is required', async () => {
  await using t = await setupWeb({ config: { purpose: { required: true } } })
  const token = await t.operator('ops', 'bia')
  await drop(t, { 'a.xlsx': workbookOf({ Base: { 1: ['CPF'], 2: [cpf(1)] }, Filial: { 1: ['CPF'], 2: [cpf(2)] } }) })
  const page = await t.page('/uploads/1', token)
  const [all = ''] = page.split('</form>').filter((form) => form.includes('Read all sheets'))
  expect(all).toMatch(/name="sheet" value="all".*name="legalBasis".*name="purpose"[^>]* required/s)
  const body = new URLSearchParams({ sheet: 'all', purpose: 'novos fornecedores' })
  expect((await t.call('/uploads/1', { token, method: 'POST', body })).headers.get('location')).toBe('/batches/1')
  expect(await t.sql`select purpose from vigia.batch`).toEqual([{ purpose: 'novos fornecedores' }])
})
