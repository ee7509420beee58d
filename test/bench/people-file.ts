import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { cellType } from '../../src/files/xlsx/cell-type.ts'
import { writeWorkbook } from '../../src/files/xlsx/write-workbook.ts'
import type { Bench } from './bench.ts'

/** A file of `rows` different people in no order: `ref;documento;nome`; `after` leaves out the first ones. */
export const peopleFile = (bench: Bench, rows: number, after = 0): Promise<string> =>
  bench.once(`people ${rows} after ${after}`, async () => {
    const path = join(bench.folder, `people-${rows}-after-${after}.csv`)
    await pipeline(Readable.from(pieces(after + 1, after + rows)), createWriteStream(path))
    return path
  })

/** The same people as a workbook. */
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

/** The n-th CPF of a sequence that visits every number below 10⁹ once, far apart from its neighbours. */
export const person = (n: number): string => {
  const base = (n * 618_033 + 1) % 1_000_000_000
  const digits = String(base).padStart(9, '0')
  const first = checkDigit(digits)
  return `${digits}${first}${checkDigit(`${digits}${first}`)}`
}

function* pieces(first: number, last: number): Generator<string> {
  let piece = 'ref;documento;nome\n'
  for (let n = first; n <= last; n++) {
    piece += `${n};${person(n)};Pessoa de Teste ${n}\n`
    if (n % 2_000 === 0) {
      yield piece
      piece = ''
    }
  }
  yield piece
}

const checkDigit = (digits: string): number => {
  let sum = 0
  for (let i = 0; i < digits.length; i++) sum += (digits.charCodeAt(i) - 48) * (digits.length + 1 - i)
  return sum % 11 < 2 ? 0 : 11 - (sum % 11)
}
