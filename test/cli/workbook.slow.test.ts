import { access } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { cpfs, csvOf } from '../support/documents.ts'
import { sheetsIn } from '../support/read-report.ts'
import { installHere as install } from './vigia-process.ts'

test('run and export write a workbook beside the CSV on request, in the requested language', async () => {
  await using t = await install()
  const file = await t.write('clientes.csv', csvOf(cpfs(4)))

  const run = await t.vigia('run', file, '--yes', '--format', 'xlsx', '--language', 'en', '--json')
  const { files } = JSON.parse(run.stdout).results[0]
  expect(Object.keys(files)).toEqual(['report', 'rejects', 'manifest', 'workbook'])
  expect(Object.keys(await sheetsIn(files.workbook))).toEqual(['Results', 'Summary', 'Rejects', 'About'])

  const again = await t.vigia('run', file, '--yes', '--language', 'pt')
  expect(again.stdout).toMatch(/^Workbook +.*clientes\.report\.xlsx$/m)
  expect(Object.keys(await sheetsIn(files.workbook))).toEqual(['Resultados', 'Resumo', 'Rejeitados', 'Sobre'])

  const exported = await t.vigia('export', '1', '--format', 'csv', '--json')
  expect(Object.keys(JSON.parse(exported.stdout).files)).toEqual(['report', 'rejects', 'manifest'])
  await expect(access(files.workbook)).rejects.toThrow('ENOENT')
  await access(files.report)
  const wrong = [await t.vigia('export', '1', '--format', 'pdf'), await t.vigia('export', '1', '--language', 'tlh')]
  expect(wrong.map(({ exitCode }) => exitCode)).toEqual([2, 2])
  expect(wrong.map(({ stderr }) => stderr).join('')).toMatch(/csv or xlsx, not "pdf"[\s\S]*en or pt-BR, not "tlh"/)
})
