import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { connect } from '../../src/store/connect.ts'
import { migrate, schemaStatus } from '../../src/store/migrate.ts'
import { createEmptyDatabase, openDatabase } from '../support/database.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const first = { '001_first.sql': 'create table first (id int); insert into first values (1);' }
const second = { '002_second.sql': 'alter table first add column name text;' }

test('applies what is missing, in the order of the numbers, once', async () => {
  const { sql, folder, write } = await setup(first)
  expect(await migrate(sql, folder)).toEqual({ applied: ['001_first.sql'] })
  await write(second)
  expect(await migrate(sql, folder)).toEqual({ applied: ['002_second.sql'] })
  expect(await migrate(sql, folder)).toEqual({ applied: [] })
  expect([...(await sql`select * from vigia.first`)]).toEqual([{ id: 1, name: null }])
})

test('processes that start at once make one migration', async () => {
  const { sql, folder, url } = await setup({ ...first, ...second })
  const starters = Array.from({ length: 4 }, () => connect(url, { max: 1 }))
  const results = await Promise.all(starters.map((starter) => migrate(starter, folder)))
  await Promise.all(starters.map((starter) => starter.end()))
  expect(results.flatMap(({ applied }) => applied).sort()).toEqual(['001_first.sql', '002_second.sql'])
  expect([...(await sql`select count(*)::int as rows from vigia.first`)]).toEqual([{ rows: 1 }])
})

test('a file that fails leaves nothing of itself, keeps those before it, and is named', async () => {
  const { sql, folder, write } = await setup({ ...first, '002_broken.sql': 'create table half (id int); select 1/0;' })
  await expect(migrate(sql, folder)).rejects.toThrow('sql/002_broken.sql failed: division by zero')
  expect([...(await sql`select to_regclass('vigia.half') as half`)]).toEqual([{ half: null }])
  expect((await schemaStatus(sql, folder)).applied).toEqual(['001_first.sql'])
  await write({ '002_broken.sql': 'create table half (id int);' })
  expect(await migrate(sql, folder)).toEqual({ applied: ['002_broken.sql'] })
})

test('refuses a file that was edited after it was applied, by name, and changes nothing', async () => {
  const { sql, folder, write } = await setup(first)
  await migrate(sql, folder)
  await write({ '001_first.sql': 'create table first (id bigint);', ...second })
  await expect(migrate(sql, folder)).rejects.toThrow(/sql\/001_first\.sql changed after being applied/)
  expect(await schemaStatus(sql, folder)).toMatchObject({ edited: ['001_first.sql'], missing: ['002_second.sql'] })
})

test('takes other line endings for the same file', async () => {
  const { sql, folder, write } = await setup({ '001_first.sql': 'create table first (\n  id int\n);\n' })
  await migrate(sql, folder)
  await write({ '001_first.sql': 'create table first (\r\n  id int\r\n);\r\n' })
  expect(await migrate(sql, folder)).toEqual({ applied: [] })
})

test('an older Vigia refuses a newer schema with a line that says so', async () => {
  const { sql, folder } = await setup({ ...first, ...second })
  await migrate(sql, folder)
  await rm(join(folder, '002_second.sql'))
  await expect(migrate(sql, folder)).rejects.toThrow(/does not know \(002_second\.sql\).*newer Vigia/)
  expect(await schemaStatus(sql, folder)).toMatchObject({ unknown: ['002_second.sql'] })
})

test('reports everything as missing from a new database', async () => {
  const { sql, folder } = await setup(first)
  expect(await schemaStatus(sql, folder)).toEqual({ applied: [], missing: ['001_first.sql'], unknown: [], edited: [] })
})

test('releases the lock when it is refused', async () => {
  const { sql, folder, url } = await setup({ '001_broken.sql': 'nonsense' })
  await expect(migrate(sql, folder)).rejects.toThrow('001_broken.sql')
  const other = connect(url, { max: 1 })
  await expect(migrate(other, folder)).rejects.toThrow('001_broken.sql')
  await other.end()
})

test('our own files are all applied in a fresh database', async () => {
  await using database = await openDatabase({ max: 1 })
  expect(await schemaStatus(database.sql)).toMatchObject({ missing: [], unknown: [], edited: [] })
})

const setup = async (files: Record<string, string>) => {
  const folder = await temporaryFolder()
  const database = await createEmptyDatabase()
  const sql = connect(database.url)
  const write = async (more: Record<string, string>) => {
    for (const [name, text] of Object.entries(more)) await writeFile(join(folder, name), text)
  }
  await write(files)
  onTestFinished(async () => {
    await sql.end()
    await database.drop()
  })
  return { sql, folder, url: database.url, write }
}
