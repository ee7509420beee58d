import { spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { changesCsv, changesHeader } from '../../src/monitoring/changes-file.ts'

/**
 * Opens a file of changes in LibreOffice and reads back the result: `node test/office/changes-file.office.ts`.
 * It is slow and needs a program that few machines have, so it is not part of `npm test`.
 */
const officeDocument = ['libreoffice', 'soffice'].find((name) => spawnSync(name, ['--version']).status === 0)
if (!officeDocument) {
  process.stdout.write('skipped: LibreOffice is not installed, so the file of changes was not opened in it\n')
  process.exit(0)
}

const change = {
  id: 1n,
  sweepId: 7n,
  organizationId: 7001n,
  document: '00123456797',
  name: '=1+1; "Ação"',
  field: 'RISK_WORKER_value',
  verdict: 'worse' as const,
  before: '0.00',
  after: '1234.56',
  weight: 1n,
  seenAt: new Date('2026-11-15T05:00:00Z'),
}
const folder = await mkdtemp(join(tmpdir(), 'vigia-office-'))
try {
  const path = join(folder, 'changes-2026-11-15.csv')
  await writeFile(path, `\uFEFF${changesHeader()}${changesCsv([change], () => null, 'America/Sao_Paulo')}`)
  // 59 is the semicolon, 34 the quote, 76 UTF-8, pt-BR the language of its numbers.
  const filter = '--infilter=CSV:59,34,76,1,,1046,false,true'
  const home = `-env:UserInstallation=file://${join(folder, 'profile')}`
  const made = spawnSync(officeDocument, [home, '--headless', filter, '--convert-to', 'fods', '--outdir', folder, path])
  if (made.status !== 0) throw new Error(`LibreOffice could not open the file: ${made.stderr}`)
  const sheet = await readFile(join(folder, 'changes-2026-11-15.fods'), 'utf8')
  const wanted = ['001.234.567-97', 'Ação', 'office:value="1234.56"', 'RISK_WORKER_value']
  const missing = wanted.filter((text) => !sheet.includes(text))
  if (missing.length > 0 || sheet.includes('table:formula'))
    throw new Error(`LibreOffice misread: ${missing.join(', ')}`)
  process.stdout.write('ok: LibreOffice opens the file of changes, with its figures as numbers and no formula\n')
} finally {
  await rm(folder, { recursive: true, force: true })
}
