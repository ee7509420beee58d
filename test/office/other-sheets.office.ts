import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { exportWorkbook } from '../../src/batches/export.ts'
import { setupGround } from '../batches/ground.ts'
import { partsIn } from '../files/xlsx/parts-in.ts'
import { cpf } from '../support/documents.ts'
import { officeDocument, opened, openpyxl, runPython, savedByOffice } from './open-in-office.ts'

test.runIf(officeDocument && openpyxl).each(['openpyxl', 'LibreOffice'])(
  'sheets that %s wrote come back with formulas, looks, charts, pictures and comments, and both programs open them',
  async (writer) => {
    await using t = await setupGround()
    const made = join(t.home.path, 'rica.xlsx')
    runPython('write-rich-workbook.py', made, cpf(1))
    const path = writer === 'openpyxl' ? made : savedByOffice([made], 'xlsx', t.home.path)[0]!
    const { id } = await t.imported(readFileSync(path), {
      fileName: 'rica.xlsx',
      language: 'en',
      choice: { sheet: 'Base' },
    })
    const folder = join(t.home.outbox, String(id))
    const options = { folder, now: new Date(0), settings: t.settings }
    const { workbook } = await exportWorkbook(t.sql, id, options)

    const sheets = ['Notas', 'Outra folha']
    const before = JSON.parse(runPython('read-sheets.py', path, ...sheets))
    const after = JSON.parse(runPython('read-sheets.py', workbook, ...sheets))
    const { cells } = before.sheets.Notas
    const values = writer === 'LibreOffice' ? { C8: '2469', C9: '2469' } : { C8: 'None', C9: 'None' }
    for (const [place, value] of Object.entries(values)) {
      expect(cells[place].value).toBe(value)
      cells[place].formula = value
      if (value === 'None') delete cells[place]
    }
    cells.B7.link = null
    if (cells.B7.formula === 'None') delete cells.B7
    before.sheets.Notas.rules -= 1
    delete before.names.Limite
    expect(before.sheets.Notas).toMatchObject({ charts: 2, images: 1 })
    expect(before.sheets.Notas.cells.B5.comment).toContain('Ana')
    expect(after).toEqual(before)

    const [shown] = opened([workbook], t.home.path) as [string]
    expect(shown).toContain('table:name="Notas"')
    expect(shown).toContain('table:formula="of:=SUM([.C2:.C5])+Taxa"')
    // Each chart says so, and its series too.
    expect(shown.match(/chart:class="chart:bar"/g)).toHaveLength(4)
    expect(shown).toContain('falar com a Ana')
    const parts = Object.entries(await partsIn(readFileSync(workbook)))
    expect(JSON.stringify(parts)).not.toContain('Base!')
    // The text of the cell comes back; the link to a file does not.
    const links = parts.filter(([name]) => name.endsWith('.rels'))
    expect(links.length).toBeGreaterThan(2)
    expect(JSON.stringify(links)).not.toContain('passwd')
  },
)
