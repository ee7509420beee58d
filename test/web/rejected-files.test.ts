import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { startInbox } from '../../src/batches/inbox/start-inbox.ts'
import { eraseDocument } from '../../src/monitoring/erase-document.ts'
import { purgeExpired } from '../../src/monitoring/purge-expired.ts'
import { listRejected } from '../../src/store/batches/uploads.ts'
import { workbookOf } from '../batches/people-workbook.ts'
import { bodiesOf, startMailbox } from '../notify/mailbox.ts'
import { cpf, csvOf } from '../support/documents.ts'
import { until } from '../support/until.ts'
import { sharedWeb, type WebSetup } from './setup.ts'

const mailbox = await startMailbox()
afterAll(() => mailbox[Symbol.asyncDispose]())
const t = await sharedWeb({
  config: {
    alerts: { email: { from: 'vigia@example.com', to: ['ana@example.com'] } },
    web: { publicUrl: 'https://vigia.example.com' },
    budget: { perBatch: 7 },
  },
  env: { SMTP_URL: mailbox.url },
})
const ops = await t.operator('ops', 'bia')
/** A page that requires a purpose. */
const strict = await sharedWeb({ config: { purpose: { required: true } } })
const strictOps = await strict.operator('ops', 'bia')

/** The names of the rejected files, of those given. */
const rejected = async (...of: string[]): Promise<string[]> =>
  (await listRejected(t.sql, 9))
    .map(({ fileName }) => fileName)
    .filter((name) => of.includes(name))
    .sort()

/** Drops files into the inbox and waits until they were taken. */
const drop = async (t: WebSetup, files: Record<string, string | Buffer>): Promise<void> => {
  const settings = { ...t.settings, import: { ...t.settings.import, settle: 0 } }
  const inbox = await startInbox({ ...t.tools, settings, accounts: t.running.accounts })
  const { home } = t.tools
  for (const [name, text] of Object.entries(files)) await writeFile(join(home.inbox, name), text)
  await inbox.scan()
  await inbox.stop()
}

/** Another header where a test chooses the columns: a choice is remembered for its headers. */
const unclear = (n: number, header = 'Chave') => `Cliente;${header}\nAna;${cpf(n)}\n`

test('a file that the inbox rejects is notified, listed with its reason, and read after a person chose its columns', async () => {
  await drop(t, { [`carteira ${cpf(9)}.csv`]: unclear(1, 'Doc. Cliente') })
  await drop(t, { 'vazio.csv': '' })

  await until(async () => mailbox.received.length >= 2)
  const mails = mailbox.received.map(bodiesOf).join('\n')
  expect(mails).toContain('Recusado: carteira ***')
  expect(mails).toContain('Recusado: vazio.csv')
  expect(mails).toContain('Abrir no Vigia: https://vigia.example.com/uploads/1')
  expect(mails).toContain('Abrir no Vigia: https://vigia.example.com/batches#rejected')
  expect(mails).not.toContain(cpf(9))
  const severities = await t.sql`select distinct severity from vigia.alert where about = 'file.rejected'`
  expect(severities).toEqual([{ severity: 'warning' }])
  const page = await t.page('/batches', ops)
  expect(page).toMatch(/carteira \*\*\*.*?Doc\. Cliente.*?href="\/uploads\/1">Choose columns</s)
  expect(page).toMatch(/vazio\.csv.*?the file is empty.*?Fix the file/s)
  expect(page).not.toContain('href="/uploads/2"')
  const analyst = await t.operator('analyst', 'carla')
  expect(await t.page('/batches', analyst)).not.toContain('vazio.csv')

  expect(await t.page('/uploads/1', ops)).toContain('Doc. Cliente')
  const read = await t.post('/uploads/1', ops, { headerLine: '1', 'header-1': 'Doc. Cliente', 'role-1': 'documento' })
  expect(read.headers.get('location')).toBe('/batches/1')
  expect(await t.sql`select max_spend, submitted_by as by from vigia.batch`).toEqual([{ maxSpend: 7, by: 'bia' }])
  expect((await t.call('/uploads/2', { token: ops })).status).toBe(404)
  const dismissed = await t.post('/uploads/2/dismiss', ops)
  expect(dismissed.headers.get('location')).toBe('/batches')
  expect(await t.page('/batches', ops)).not.toContain('id="rejected"')
  expect((await t.post('/uploads/2/dismiss', ops)).status).toBe(404)
})

test('a rejected file leaves the list when one of its name is accepted, and is listed once if it is rejected again', async () => {
  await drop(t, { 'a.csv': unclear(3) })
  await drop(t, { 'a.csv': unclear(3) })
  expect(await rejected('a.csv')).toEqual(['a.csv'])
  await drop(t, { 'b.csv': csvOf([cpf(2)]) })
  expect(await rejected('a.csv')).toEqual(['a.csv'])

  await drop(t, { 'a.csv': csvOf([cpf(3)]) })
  expect(await rejected('a.csv')).toEqual([])
  expect(
    await t.sql`
      select f.id from vigia.file f
       where not exists (select from vigia.batch b where b.file_id = f.id)
         and not exists (select from vigia.upload u where u.file_id = f.id)`,
  ).toEqual([])
})

test('erasing a person takes only rejected files that hold the person, and the purge takes those of retention.unconfirmed', async () => {
  const names = ['empty.csv', 'hers.csv', 'his.csv']
  await drop(t, { 'hers.csv': unclear(5), 'his.csv': unclear(6), 'empty.csv': '' })
  await eraseDocument(t.tools, cpf(5), 'admin')
  expect(await rejected(...names)).toEqual(['empty.csv', 'his.csv'])

  const inDays = (days: number) => ({ ...t.tools, clock: () => new Date(Date.now() + days * 86_400_000) })
  await purgeExpired(inDays(29))
  expect(await rejected(...names)).toEqual(['empty.csv', 'his.csv'])
  await purgeExpired(inDays(31))
  expect(await rejected(...names)).toEqual([])
})

/** Drops a file on the page that requires a purpose, and returns the address where its columns are chosen. */
const keptWithoutPurpose = async (name: string, bytes: string | Buffer): Promise<string> => {
  await drop(strict, { [name]: bytes })
  const page = await strict.page('/batches', strictOps)
  return new RegExp(`${name}.*?a purpose is required.*?href="(/uploads/\\d+)"`, 's').exec(page)![1]!
}

test('a file without the purpose that is required is kept until a person names one', async () => {
  const upload = await keptWithoutPurpose('a.csv', csvOf([cpf(1)]))
  expect(await strict.page(upload, strictOps)).toMatch(/name="purpose"[^>]* required/)
  expect((await strict.post(upload, strictOps, { headerLine: '1' })).status).toBe(422)
  const read = await strict.post(upload, strictOps, { headerLine: '1', legalBasis: 'credit' })
  expect(read.headers.get('location')).toMatch('/batches/')
  expect(await strict.sql`select from vigia.batch where purpose = 'credit'`).toHaveLength(1)
})

test('reading all sheets of a kept file asks for the purpose that is required', async () => {
  const sheets = { Base: { 1: ['CPF'], 2: [cpf(1)] }, Filial: { 1: ['CPF'], 2: [cpf(2)] } }
  const upload = await keptWithoutPurpose('a.xlsx', workbookOf(sheets))
  const page = await strict.page(upload, strictOps)
  const [all = ''] = page.split('</form>').filter((form) => form.includes('Read all sheets'))
  expect(all).toMatch(/name="sheet" value="all".*name="legalBasis".*name="purpose"[^>]* required/s)
  const read = await strict.post(upload, strictOps, { sheet: 'all', purpose: 'novos fornecedores' })
  expect(read.headers.get('location')).toMatch('/batches/')
  expect(await strict.sql`select from vigia.batch where purpose = 'novos fornecedores'`).toHaveLength(1)
})
