import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { cellType } from '../../src/files/xlsx/cell-type.ts'
import { writeWorkbook } from '../../src/files/xlsx/write-workbook.ts'
import type { Bench } from './bench.ts'
import { person } from './people-file.ts'

/** The same people as in `peopleFile`, as a workbook. */
export const peopleWorkbook = (bench: Bench, rows: number): Promise<string> =>
  bench.once(`people workbook ${rows}`, async () => {
    const path = join(bench.folder, `people-${rows}.xlsx`)
    const columns = ['ref', 'documento', 'nome'].map((header) => ({ header, width: 20 }))
    const properties = { title: 'people', creator: 'bench', created: new Date(0) }
    const sheets = [{ name: 'people', columns, rows: { cells: people(rows) } }]
    await writeWorkbook(createWriteStream(path), { properties, sheets })
    return path
  })

function* people(rows: number) {
  for (let n = 1; n <= rows; n++) {
    yield [
      { text: String(n), type: cellType.number },
      { text: person(n), type: cellType.text },
      { text: `Pessoa de Teste ${n}`, type: cellType.text },
    ]
  }
}
