import { expect, test } from 'vitest'
import { quoteFile } from '../../src/batches/quote.ts'
import type { ReadOptions } from '../../src/files/columns/read-options.ts'
import { call } from '../cli/call.ts'
import { cpf } from '../support/documents.ts'
import { type Ground, setupGround, submissionOf } from './ground.ts'

const [cnpj1, cnpj2] = ['11222333000181', '11444777000161']

const quote = (t: Ground, text: string, choice: ReadOptions = {}) => {
  const { organizationId, freshSince } = submissionOf('')
  const open = () => submissionOf(text).bytes
  const terms = { kind: 'analysis' as const, bound: 1, maxSpend: null, firstLookMs: 0 }
  return quoteFile(t.sql, { open, organizationId, freshSince, ...terms, choice })
}

const partners = `CPF do sócio;Empresa (doc);Fone\n${cpf(1)};${cnpj1};11987654321\n${cpf(2)};${cnpj2};11912345678\n`

test('a quote names the columns with documents that are not asked about, and not those that repeat the document', async () => {
  await using t = await setupGround()
  expect(await quote(t, partners)).toMatchObject({
    rows: 2,
    reads: { column: 'CPF do sócio', unaskedColumns: ['Empresa (doc)'] },
  })
  const other = await quote(t, partners, { columns: { documento: 'Empresa (doc)' } })
  expect(other.reads).toMatchObject({ column: 'Empresa (doc)', unaskedColumns: ['CPF do sócio'] })
  const same = await quote(t, `CPF;Chave\n${cpf(1)};${cpf(1).replace(/^(...)(...)(...)/, '$1.$2.$3-')}\n`)
  expect(same.reads.unaskedColumns).toEqual([])
  const bare = await quote(t, `${cpf(1)};${cnpj1}\n`, { headerLine: 0, columns: { documento: '1' } })
  expect(bare.reads.unaskedColumns).toEqual(['2'])
  const pairs = await quote(t, `CPF;CNPJ\n${cpf(1)};\n;${cnpj1}\n`)
  expect(pairs.reads.unaskedColumns).toEqual([])
})

test('a second column for a role other than documento is refused with what to do, on the command line', async () => {
  const { exitCode, stderr } = await call([
    'plan',
    'x.csv',
    '--column',
    'documento=CPF do sócio',
    '--column',
    'cpf=CPF',
  ])
  expect(exitCode).toBe(2)
  expect(stderr).toContain('documento="CPF do sócio" and cpf="CPF" are given')
  expect(stderr).toContain('name each column with documento')
  expect((await call(['plan', 'x.csv', '--column', 'nome=A', '--column', 'nome=B'])).exitCode).toBe(2)
  const many = Array.from({ length: 11 }, (_, i) => ['--column', `documento=${i + 1}`])
  const refused = await call(['plan', 'x.csv', ...many.flat()])
  expect([refused.exitCode, refused.stderr]).toEqual([2, expect.stringContaining('10 documents at most')])
})
