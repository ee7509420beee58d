import { access, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { outboxFolder } from '../../src/batches/export.ts'
import { inTurn } from '../../src/batches/report-turn.ts'
import { eraseDocument } from '../../src/monitoring/erase-document.ts'
import { readBatch, recordExport } from '../../src/store/batches/batches.ts'
import { connect } from '../../src/store/connect.ts'
import { cpf } from '../support/documents.ts'
import { setup } from '../support/setup.ts'
import { until } from '../support/until.ts'

const person = cpf(7)
const people = `documento\n${person}\n${cpf(8)}\n`

test('a report that began before an erasure is not recorded after it, and another one is written', async () => {
  await using t = await setup()
  const batch = await t.finished(await t.submit(people))

  await eraseDocument(t.tools, person, 'test')

  expect(await recordExport(t.sql, batch, {}, new Date())).toBeNull()
  const anew = await until(async () => {
    const read = await readBatch(t.sql, batch.id)
    return read?.exportedAt ? read : null
  })
  expect(await readFile(join(outboxFolder(t.tools.home, anew), 'people.report.csv'), 'utf8')).not.toContain(person)
})

test.each([
  ['ends', false],
  ['fails', true],
])('an export that %s during the erasure of a person leaves nothing of them behind, and says why', async (_, fails) => {
  await using t = await setup()
  const batch = await t.finished(await t.submit(people))
  await using stack = new AsyncDisposableStack()
  const sql = stack.adopt(connect(t.databaseUrl, { max: 4 }), (each) => each.end())
  const folder = await mkdtemp(join(t.home, 'elsewhere-'))

  const written = inTurn(sql, batch.id, { folder }, async (_sources, _batch, place) => {
    await writeFile(place('report.csv'), people)
    await eraseDocument(t.tools, person, 'test')
    if (fails) throw new Error('The stored file is shorter than its rows')
  })
  await expect(written).rejects.toThrow(/erased from batch/)
  expect(await readdir(folder)).toEqual([])
})

test('a batch whose report named the person only in an answer is exported again', async () => {
  await using t = await setup()
  const batch = await t.finished(await t.submit(`documento\n${cpf(8)}\n`))
  const report = join(outboxFolder(t.tools.home, batch), 'people.report.csv')
  await writeFile(report, `documento;registry_name\n${cpf(8)};socio ${person}\n`)

  expect(await eraseDocument(t.tools, person, 'test')).toMatchObject({ batches: [batch.id], lookups: 0 })
  await until(async () => (await readBatch(t.sql, batch.id))?.exportedAt)
  expect(await readFile(report, 'utf8')).toMatch(new RegExp(`${cpf(8)};ok`))
  await access(join(outboxFolder(t.tools.home, batch), 'people.manifest.json'))
})

test('the tables of an erased person are vacuumed', async () => {
  await using t = await setup()
  await t.finished(await t.submit(people))
  await eraseDocument(t.tools, person, 'test')

  const vacuumed = await until(async () => {
    const rows = await t.sql<{ relname: string }[]>`
      select relname from pg_stat_user_tables where schemaname = 'vigia' and vacuum_count > 0`
    return rows.length > 0 ? rows.map(({ relname }) => relname) : null
  })
  expect(vacuumed).toEqual(expect.arrayContaining(['lookup', 'answer', 'purchase', 'batch', 'file_part']))
})
