import type { Dialect } from '../../../src/files/csv/dialect.ts'
import { encodeInto } from '../../../src/files/csv/encoding.ts'
import { savedFromExcel } from './fixture-excel.ts'
import { dialectMatrix } from './fixture-matrix.ts'
import { savedBySystems } from './fixture-systems.ts'

/** What one row of a fixture must become: a document with its repairs, or the reason for its rejection. */
export type GoldenRow = [line: number, outcome: string, ...repairs: string[]]

export type Golden =
  | { dialect: Partial<Dialect>; blankLines?: number; rows: GoldenRow[] }
  | { problem: string; line?: number }

export type FixtureFile = { name: string; bytes: Buffer; golden: Golden }

/** The files under test/fixtures/csv, written by `node test/files/csv/write-fixtures.ts`, and the expected rows of each. */
export const fixtureFiles = (): FixtureFile[] => [...dialectMatrix(), ...savedFromExcel(), ...savedBySystems()]

type Written = { dialect: Partial<Dialect>; blankLines?: number; rows: string[] } | { problem: string; line?: number }

/** A row is written as `3 CPF 00000000191 +zeros`. */
export const fixture = (name: string, content: string | Buffer, golden: Written): FixtureFile => ({
  name,
  bytes: typeof content === 'string' ? Buffer.from(content) : content,
  golden: 'rows' in golden ? { ...golden, rows: golden.rows.map(goldenRow) } : golden,
})

const goldenRow = (text: string): GoldenRow => {
  const [outcome = '', ...repairs] = text.replace(/^\d+ /, '').split(' +')
  return [Number.parseInt(text, 10), outcome, ...repairs]
}

export const windows1252 = (text: string): Buffer => encodeInto('windows-1252').encode(text)
