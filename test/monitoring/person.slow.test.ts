import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatDocument } from '../../src/domain/document.ts'
import { eraseDocument } from '../../src/monitoring/erase-document.ts'
import { findTraces, lookAtPerson } from '../../src/monitoring/read-person.ts'
import { readBatch } from '../../src/store/batches/batches.ts'
import { listSweeps } from '../../src/store/radars/sweeps.ts'
import { workbookOf } from '../batches/people-workbook.ts'
import { addList, trigger } from '../portfolios/runs.ts'
import { cpf, cpfs } from '../support/documents.ts'
import { type Setup, setup } from '../support/setup.ts'
import { until } from '../support/until.ts'
import { keepUpload } from './keep-upload.ts'
import { sweepByQueue, sweepRadars } from './sweep.ts'
import { tracesOf } from './traces.ts'

const person = cpf(7)
const document = { type: 'CPF', number: person } as const

/** The ways in which a person gets into the installation. */
const actions = {
  asked: (t: Setup) => hand(t, `nome;documento;obs\nAna;${formatDocument(person)};x\nBia;${cpf(1)};y\n`, 'analysis'),
  askedTwice: (t: Setup) => hand(t, `documento\n${person}\n${cpf(2)}\n${person}\n`, 'processes'),
  licence: (t: Setup) => hand(t, `cpf\n${person}\n`, 'cnh'),
  mentioned: (t: Setup) => hand(t, `documento;obs\n${cpf(3)};ver ${person}\n${cpf(4)};nada\n`, 'analysis'),
  rejected: (t: Setup) => hand(t, `documento;obs\n123;de ${formatDocument(person)}\n${cpf(5)};\n`, 'scr'),
  named: (t: Setup) => hand(t, `documento\n${cpf(6)}\n`, 'scr', `${person}.csv`),
  inWorkbook: (t: Setup) =>
    hand(t, workbookOf({ Plan1: { 1: ['Nome', 'CPF'], 2: ['Ana', Number(person)], 3: ['Bia', cpf(9)] } }), 'processes'),
  uploaded: (t: Setup) => keepUpload(t.sql, `a;b\nAna;${formatDocument(person)}\n`),
  archived: (t: Setup) => writeFile(join(t.home, 'archive', 'old.csv'), `documento\n${person}\n`),
  noted: (t: Setup) => writeFile(join(t.home, 'archive', `note ${person}.bin`), Buffer.from([0, 1, 2])),
  watched: async (t: Setup) => {
    t.sandbox.plantRadar({ code: person })
    t.sandbox.plantRadar({ code: cpf(8) })
    t.sandbox.plantChange(person, { processes: 1 })
    await sweepRadars(t)
    t.sandbox.plantChange(person, { processes: 3 })
    await sweepRadars(t)
  },
  listed: (t: Setup) => list(t, 'Suppliers'),
  listedAndRun: async (t: Setup) => {
    await list(t, 'Clients')
    await trigger(t)
    await until(async () =>
      (await listSweeps(t.sql, { name: 'portfolio', limit: 9 })).every(({ finishedAt }) => finishedAt),
    )
  },
  boughtElsewhere: async (t: Setup) => {
    t.sandbox.alreadyGenerated(person)
    await sweepByQueue(t, 'usage')
  },
}
type Action = keyof typeof actions

const list = (t: Setup, name: string) =>
  addList(t, name, `documento;nome;ref\n${person};Ana ${formatDocument(person)};${person}\n${cpf(30)};;\n`)

const hand = async (
  t: Setup,
  bytes: string | Buffer,
  kind: 'analysis' | 'processes' | 'cnh' | 'scr',
  fileName?: string,
) => {
  await t.finished(await t.submit(bytes, { kind, ...(fileName && { fileName }) }))
}

test('a person’s page lists exactly what erasing the person then erases', async () => {
  const courses = fc.uniqueArray(fc.constantFrom(...(Object.keys(actions) as Action[])), { maxLength: 5 })
  const [first, ...others] = fc.sample(courses, { numRuns: 4, seed: 19 })
  for (const course of [Object.keys(actions) as Action[], first!, ...others]) await walk(course)
})

const walk = async (course: Action[]): Promise<void> => {
  await using t = await setup()
  await t.finished(await t.submit(`documento\n${cpfs(3, 50).join('\n')}\n`))
  for (const action of course) await actions[action](t)
  const places = await tracesOf(t.sql, t.home, [person, formatDocument(person)])
  const held = await lookAtPerson(t.sql, document, { by: 'test' })
  const traces = await findTraces({ sql: t.sql, home: t.tools.home }, person)
  const label = course.join(', ')

  const columns = traces.texts.map(({ table, column }) => `${table}.${column}`)
  const heldColumns = places
    .filter((place) => /^(vigia|pgboss)\./.test(place))
    .map((place) => place.replace(/^\w+\./, ''))
  expect(columns, label).toEqual(expect.arrayContaining(heldColumns))
  const heldFiles = places.filter((place) => place.startsWith('file_part')).map((place) => place.split('/')[0])
  expect(traces.storedFiles.length, label).toBeGreaterThanOrEqual(new Set(heldFiles).size)
  // The cells of a workbook are compressed, so a search of the bytes alone does not find them.
  const unpacked = traces.files.map(({ path }) => path).filter((path) => !path.endsWith('.xlsx'))
  expect(new Set(unpacked), label).toEqual(new Set(places.filter((place) => place.startsWith(t.home))))

  const erased = await eraseDocument(t.tools, person, 'test')
  for (const id of erased.batches) await until(async () => (await readBatch(t.sql, id))?.exportedAt)

  expect(held.lookups.length, label).toBe(erased.lookups)
  const batches = [
    ...held.rows.map(({ batch }) => Number(batch)),
    ...traces.storedFiles.flatMap((file) => file.batches),
    ...traces.files.flatMap(({ path }) => /outbox\/[^/]+\.(\d+)(?:\/|$)/.exec(path)?.[1] ?? []).map(Number),
  ]
  expect(new Set(batches), label).toEqual(new Set(erased.batches.map(Number)))
  expect(traces.storedFiles.length, label).toBe(erased.storedFiles)
  const fates = (fate: string) => traces.files.filter((file) => file.fate === fate).length
  expect({ blanked: fates('blanked'), deleted: fates('deleted') }, label).toEqual(erased.files)
  expect(
    held.radars.map(({ organization }) => organization),
    label,
  ).toEqual(erased.monitoredBy)
  expect(
    held.portfolios.map(({ portfolio }) => portfolio),
    label,
  ).toEqual(erased.portfolios)

  const { looks, document: _, type, ...after } = await lookAtPerson(t.sql, document, { by: 'test' })
  for (const [part, held] of Object.entries(after)) expect(held, `${part} after ${label}`).toEqual([])
  expect(looks.map(({ what }) => what)).toEqual(['look at person'])
  expect(await findTraces({ sql: t.sql, home: t.tools.home }, person), label).toEqual({
    texts: [],
    storedFiles: [],
    files: [],
  })
}
