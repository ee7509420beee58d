import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { cpf } from '../support/documents.ts'
import { readCsv, sheetsIn } from '../support/read-report.ts'
import { installHere as install } from './vigia-process.ts'

const [cnpj1, cnpj2] = ['11222333000181', '11444777000161']
const partners = [
  'Sócio;CPF_SOCIO;CNPJ_EMPRESA',
  `Ana;${cpf(1)};${cnpj1}`,
  `Bia;${cpf(2)};${cnpj1}`,
  `Caio;;${cnpj2}`,
  'Davi;;',
].join('\n')
const asking = ['--column', 'documento=CPF_SOCIO', '--column', 'documento=CNPJ_EMPRESA']

type Result = {
  states: object
  total: number
  rows: number
  files: { report: string; rejects: string; workbook: string }
}

test('run asks each row about each of its documents, and returns a block of columns for each', async () => {
  await using t = await install()
  const file = await t.write('socios.csv', partners)
  expect((await t.vigia('plan', file, ...asking)).stdout).toMatch(
    /asked about: columns "CPF_SOCIO" and "CNPJ_EMPRESA".*Rows +4\nRejected +1 \(1 empty\)\nDocuments not asked +1 empty\n/s,
  )

  const { exitCode, results } = await t.json('run', file, ...asking, '--yes', '--format', 'xlsx')
  const [{ states, total, rows, files }] = results as [Result]
  expect({ exitCode, states, total, rows }).toEqual({ exitCode: 0, states: { ok: 5, rejected: 3 }, total: 8, rows: 4 })
  expect(t.sandbox.charges()).toBe(4)
  expect(await readCsv(files.report)).toMatchObject([
    { Sócio: 'Ana', 'CPF_SOCIO.result_document': cpf(1), 'CNPJ_EMPRESA.result_document': cnpj1 },
    { Sócio: 'Bia', 'CPF_SOCIO.result_status': 'ok', 'CNPJ_EMPRESA.result_charged': 'no' },
    { Sócio: 'Caio', 'CPF_SOCIO.result_status': 'rejected', 'CNPJ_EMPRESA.result_document': cnpj2 },
  ])
  expect((await readFile(files.rejects, 'utf8')).split('\n')[1]).toMatch(/^Davi;;;5;empty;/)
  const [[header] = []] = Object.values(await sheetsIn(files.workbook))
  const blocks = ['CPF_SOCIO: ', 'CNPJ_EMPRESA: '].map((name) => header!.cells.filter((each) => each.startsWith(name)))
  expect(blocks[0]!.length).toBeGreaterThan(40)
  expect(blocks[1]!.length).toBe(blocks[0]!.length)

  const row = await t.json('batch', '1', '--line', '2', '--column', 'CNPJ_EMPRESA')
  expect(row).toMatchObject({ column: 'CNPJ_EMPRESA', state: 'ok', pays: true })
  expect((await t.vigia('batches')).stdout).toMatch(/done +8 of 8 documents +4 +4 /)
  expect((await t.vigia('columns')).stdout).toContain('documento="CPF_SOCIO", documento="CNPJ_EMPRESA"')
})
