import { readFileSync } from 'node:fs'
import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { exportBatch } from '../../src/batches/export.ts'
import { encodeInto } from '../../src/files/csv/encoding.ts'
import { answerAll } from '../batches/answers.ts'
import { setupGround } from '../batches/ground.ts'
import { cpf } from '../support/documents.ts'
import { officeDocument, savedByOffice } from './open-in-office.ts'

const original = [
  ['Código', 'Documento', 'Observação', 'Valor'],
  ['001', '191', 'linha um\nlinha dois', '-1.234,50'],
  ['002', cpf(5), 'disse "olá"; e saiu', 'R$ 10,00'],
  ['003', cpf(6), 'São João – “aspas” € ção', '0010'],
]

/** 59 is the semicolon, 34 the quote, 1 Windows-1252, 76 UTF-8; every column is text, so that nothing is converted. */
const asText = Array.from({ length: 60 }, (_, i) => `${i + 1}/2`).join('/')
const filters = { same: `CSV:59,34,1,1,${asText}`, utf8: `CSV:59,34,76,1,${asText}` }

test.runIf(officeDocument).each(['same', 'utf8'] as const)(
  'LibreOffice opens the report of a pt-BR Excel file (%s) and finds every original cell',
  async (encoding) => {
    await using t = await setupGround()
    const quote = (cell: string) => (/[";\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)
    const text = original.map((cells) => `${cells.map(quote).join(';')}\r\n`).join('')
    const batch = await t.imported(encodeInto('windows-1252').encode(text))
    await answerAll(t.sql, batch.id)
    const options = { folder: t.home.outbox, now: new Date(0), settings: t.settings, encoding }
    const { report, rejects } = await exportBatch(t.sql, batch.id, options)

    const given = [...opened(report, t.home.path, encoding), ...opened(rejects, t.home.path, encoding).slice(1)]

    expect(given.map((row) => row.slice(0, 4)).sort()).toEqual([...original].sort())
  },
)

/** What LibreOffice made of a file, written out again as UTF-8. */
const opened = (path: string, home: string, encoding: keyof typeof filters): string[][] => {
  const [text] = savedByOffice([path], textOfOffice, home, `--infilter=${filters[encoding]}`)
  return parse(readFileSync(text!), { delimiter: ';', relax_column_count: true, bom: true })
}

const textOfOffice = 'csv:Text - txt - csv (StarCalc):59,34,76'
