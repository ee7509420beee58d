import { compareNames, nameMatches } from '../domain/name-match.ts'
import { splitRecord } from '../files/csv/split-record.ts'
import type { Layout } from './layout.ts'

/** The cell that says how the name in a row compares with the registry's; empty where one is missing. */
export type RowNameMatch = (raw: Buffer, registryName: string) => Buffer

export const rowNameMatch = ({ dialect, columns }: Pick<Layout, 'dialect' | 'columns'>): RowNameMatch => {
  const { name } = columns
  return (raw, registryName) => {
    if (name === undefined || registryName === '') return nothing
    const given = splitRecord(raw.toString(), dialect.delimiter)[name] ?? ''
    const match = compareNames(given, registryName)?.match
    return match ? cells[match] : nothing
  }
}

const nothing = Buffer.alloc(0)
const cells = Object.fromEntries(nameMatches.map((match) => [match, Buffer.from(match)])) as Record<
  (typeof nameMatches)[number],
  Buffer
>
