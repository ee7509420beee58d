/** Writes the files of `fixture-files.ts` to test/fixtures/csv: `node test/files/csv/write-fixtures.ts`. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fixtureFiles } from './fixture-files.ts'

const folder = join(import.meta.dirname, '../../fixtures/csv')
mkdirSync(folder, { recursive: true })
for (const { name, bytes } of fixtureFiles()) writeFileSync(join(folder, name), bytes)
