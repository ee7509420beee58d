import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { personReport } from '../../src/cli/lines/person.ts'
import { readPurpose } from '../../src/domain/purpose.ts'
import { lookAtPerson } from '../../src/monitoring/read-person.ts'
import { editPortfolio, runNow } from '../../src/portfolios/keep-portfolio.ts'
import { readBatch } from '../../src/store/batches/batches.ts'
import { listSweeps } from '../../src/store/radars/sweeps.ts'
import { listAudit } from '../../src/views/installation.ts'
import { toPersonView } from '../../src/views/person.ts'
import { call } from '../cli/call.ts'
import { sweepRadars } from '../monitoring/sweep.ts'
import { addList, run, trigger } from '../portfolios/runs.ts'
import { cpf, cpfs, csvOf } from '../support/documents.ts'
import { environmentOf } from '../support/setup.ts'
import { until } from '../support/until.ts'
import { setupWeb, type WebSetup } from '../web/setup.ts'
import { setupInbox } from './inbox-setup.ts'

const required = { purpose: { required: true } }

const send = (t: WebSetup, token: string, path: string, fields: Record<string, string>) => {
  const body = new FormData()
  for (const [field, value] of Object.entries(fields)) body.append(field, value)
  body.append('file', new Blob([csvOf([cpf(1)])]), 'people.csv')
  return t.call(`/api/${path}`, { token, method: 'POST', body })
}

test('a purpose is a legal basis, a text, or both; documents in it are masked', () => {
  expect(readPurpose(' Credit ')).toBe('credit')
  expect(readPurpose('CONTRACT:  new\n supplier ')).toBe('contract: new supplier')
  expect(readPurpose('due diligence: supplier')).toBe('due diligence: supplier')
  expect(readPurpose(`for ${cpf(1)}`)).not.toContain(cpf(1))
  expect([readPurpose('  '), readPurpose(undefined), readPurpose(null)]).toEqual([null, null, null])
})

test('the purpose of a file is on its page, in its JSON, in the audit log and in the record of the person', async () => {
  await using t = await setupWeb()
  const token = await t.operator('ops', 'ana')
  expect((await send(t, token, 'batches', { legalBasis: 'horoscope' })).status).toBe(422)
  expect((await send(t, token, 'batches', { legalBasis: 'credit', purpose: 'renewal' })).status).toBe(200)
  const named = { purpose: 'credit: renewal', legalBasis: 'credit' }
  expect(await (await t.call('/api/batches/1', { token })).json()).toMatchObject(named)
  const page = await (await t.call('/batches/1', { token, headers: { 'accept-language': 'pt-BR' } })).text()
  expect(page).toContain('Proteção do crédito (LGPD, art. 7º, X): renewal')
  expect(await listAudit(t.sql, 1)).toMatchObject([{ what: 'submit', detail: { purpose: named.purpose } }])

  await until(async () => (await readBatch(t.sql, 1n))?.importedAt)
  expect((await t.call('/api/batches/1/confirm', { token, method: 'POST' })).status).toBe(200)
  await t.finished(1n)
  const record = await lookAtPerson(t.sql, { type: 'CPF', number: cpf(1) }, { by: 'test' })
  const shown = toPersonView(record, { prices: null, retention: t.settings.retention })
  expect(shown).toMatchObject({ rows: [named], lookups: [named] })
  const held = { ...shown, traces: { texts: [], storedFiles: [], files: [] } }
  const report = personReport(held, 'pt-BR', 'America/Sao_Paulo')
  expect(report.match(/; Finalidade: Proteção do crédito \(LGPD, art. 7º, X\): renewal/g)).toHaveLength(2)
})

test('the runs of a portfolio have its purpose, sweeps and other runs the default, and the record of the person too', async () => {
  await using t = await setupWeb({ config: { purpose: { default: 'Credit' } } })
  await addList(t, 'Sul', cpfs(1))
  await run(t)
  const who = { by: 'ana', now: t.tools.clock() }
  await editPortfolio(t.sql, 'Sul', who, { purpose: 'contract: suppliers' })
  await runNow(t.sql, 'Sul', who)
  await run(t)
  const batches = await t.sql`select purpose from vigia.batch order by id`
  expect(batches.map(({ purpose }) => purpose)).toEqual(['credit', 'contract: suppliers'])
  expect(await listAudit(t.sql, 50)).toContainEqual(
    expect.objectContaining({
      what: 'edit portfolio',
      detail: expect.objectContaining({ purpose: 'contract: suppliers' }),
    }),
  )
  const record = await lookAtPerson(t.sql, { type: 'CPF', number: cpfs(1)[0]! }, { by: 'test' })
  expect(record.portfolios).toMatchObject([{ purpose: 'contract: suppliers' }])

  t.sandbox.plantRadar({ code: cpf(1) })
  await sweepRadars(t)
  const token = await t.operator('analyst', 'ana')
  const found = await t.post('/person', token, { document: cpf(1) })
  expect(await t.page(found.headers.get('location')!, token)).toContain(
    'Purpose: Protection of credit (LGPD art. 7, X)',
  )
})

test('if a purpose is required, page, API, command line and runs refuse to work without one', async () => {
  await using t = await setupWeb({ config: required })
  const token = await t.operator('ops', 'ana')
  const fields: Record<string, Record<string, string>> = { batches: {}, portfolios: { name: 'Norte', every: '30d' } }
  for (const [path, more] of Object.entries(fields)) {
    const refused = await send(t, token, path, more)
    expect(refused.status).toBe(422)
    expect(await refused.json()).toMatchObject({ message: expect.stringContaining('a purpose is required') })
    expect((await send(t, token, path, { ...more, purpose: 'credit' })).status).toBe(200)
  }
  expect(await t.sql`select purpose from vigia.portfolio`).toEqual([{ purpose: 'credit' }])
  expect(await (await t.call('/batches', { token })).text()).toMatch(/name="purpose"[^>]* required/)

  const [config, file] = [join(t.home, 'vigia.json'), join(t.home, 'people.csv')]
  await writeFile(config, JSON.stringify(required))
  await writeFile(file, csvOf([cpf(2)]))
  const env = { ...environmentOf(t.sandbox, t.databaseUrl, t.home), VIGIA_CONFIG: config }
  for (const command of ['submit', 'run']) {
    const { exitCode, stderr } = await call([command, file], env)
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('a purpose is required')])
  }
  expect(await call(['plan', file], env)).toMatchObject({ exitCode: 0 })
  const { stdout } = await call(['submit', file, '--purpose', 'legal-claims', '--json'], env)
  const { batch } = JSON.parse(stdout) as { batch: number }
  expect(await readBatch(t.sql, BigInt(batch))).toMatchObject({ purpose: 'legal-claims' })

  await t.sql`update vigia.portfolio set purpose = null`
  await trigger(t)
  const failed = await until(async () => {
    const [sweep] = await listSweeps(t.sql, { name: 'portfolio', limit: 1 })
    return sweep?.state === 'failed' ? sweep : null
  })
  expect(failed.detail).toMatchObject({ said: ['no_purpose'] })
})

test.each([
  [{ required: true }, []],
  [{ required: true, default: 'credit' }, ['credit']],
])('a file of the inbox gets the default purpose, or is refused with the cure: %j', async (purpose, purposes) => {
  await using t = await setupInbox({ config: { purpose } })
  await t.drop('clientes.csv', csvOf([cpf(1)]))
  await t.settle()
  const batches = await t.sql`select purpose from vigia.batch`
  expect(batches.map(({ purpose }) => purpose)).toEqual(purposes)
  if (purposes.length > 0) return
  const why = await readFile(join(t.home.archive, 'rejected', 'clientes.csv.txt'), 'utf8')
  expect(why).toContain('set purpose.default')
  expect(why).toContain('defina purpose.default')
})
