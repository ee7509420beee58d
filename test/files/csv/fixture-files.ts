import type { Dialect } from '../../../src/files/csv/dialect.ts'
import { encodeInto } from '../../../src/files/csv/encoding.ts'
import { savedFromExcel } from './fixture-excel.ts'
import { dialectMatrix } from './fixture-matrix.ts'
import { savedBySystems } from './fixture-systems.ts'

/**
 * What a file must become: its rows, each a document with its repairs (`3 CPF 00000000191 +zeros`) or the reason for its
 * rejection, or else a problem.
 */
type Golden = { dialect: Partial<Dialect>; blankLines?: number; rows: string[] } | { problem: string; line?: number }

export type FixtureFile = { name: string; bytes: Buffer; golden: Golden }

/** Files as people and programs write them, and the expected rows of each. */
export const fixtureFiles = (): FixtureFile[] => [...dialectMatrix(), ...savedFromExcel(), ...savedBySystems()]

export const fixture = (name: string, content: string | Buffer, golden: Golden): FixtureFile => ({
  name,
  bytes: Buffer.from(content),
  golden,
})

export const windows1252 = (text: string): Buffer => encodeInto('windows-1252').encode(text)
