import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { zstdDecompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { formatDocument } from '../../src/domain/document.ts'
import { searchFor } from '../../src/domain/person-search.ts'
import { readWorkbook } from '../../src/files/xlsx/read-workbook.ts'
import { eraseDocument } from '../../src/monitoring/erase-document.ts'
import { findTraces } from '../../src/monitoring/read-person.ts'
import { readBatch } from '../../src/store/batches/batches.ts'
import { workbookOf } from '../batches/people-workbook.ts'
import { addList } from '../portfolios/runs.ts'
import { cnpjOf, cpfOf, cpfs } from '../support/documents.ts'
import { type Setup, setup } from '../support/setup.ts'
import { spellings } from '../support/spellings.ts'
import { until } from '../support/until.ts'
import { keepUpload } from './keep-upload.ts'

/** A person whose number begins with zeros, and whose digits are the beginning of a company's CNPJ. */
const root = Array.from({ length: 100_000 }, (_, i) => `00${234_567 + i}`).find((each) =>
  cpfOf(`${each}0`).endsWith('000'),
)!
const person = `${root}000`
const cnpj = cnpjOf(`${root}0001`)
const others = cpfs(30, 200)

test('a person in any spelling in any place is found and is gone after a purge, and nobody else is touched', async () => {
  await using t = await setup()
  const written = Object.values(spellings(person))
  const places: Record<string, () => Promise<unknown>> = {
    'in another column': () =>
      hand(t, `documento;obs\n${written.map((text, i) => `${others[i]};${text}`).join('\n')}\n${cnpj};nada\n`),
    'inside a remark': () =>
      hand(
        t,
        `documento;obs\n${written.map((text, i) => `${others[i]};ver ${text}, ok`).join('\n')}\n${others[29]};\n`,
      ),
    'in the header': () => hand(t, `documento;nome ${formatDocument(person)}\n${others[20]};Bia\n`),
    'above the header': () => hand(t, `Carteira de ${person};\n;\ndocumento;nome\n${others[21]};Caio\n`),
    'in a workbook': () =>
      hand(t, workbookOf({ Plan1: rowsOf(written), Notas: { 1: ['ver', `${person}`] } }), 'clientes.xlsx'),
    'in the inbox': () => put(t, 'inbox', 'copying.csv.part', `documento\n${person}\n`),
    'in a refused file': () => put(t, 'archive/rejected', 'sem coluna.csv', table(written)),
    'in a refused workbook': () =>
      put(t, 'archive/rejected', 'sem coluna.xlsx', workbookOf({ Plan1: rowsOf(written, 'a') })),
    'in an upload': () => keepUpload(t.sql, table(written)),
    'in the name of a file': () => put(t, 'archive', `lista ${person.slice(0, -2)}-${person.slice(-2)}.txt`, 'nada'),
    'in a portfolio': () =>
      addList(t, 'Clientes', `documento;nome;ref\n${others[22]};de ${formatDocument(person)};${Number(person)}\n`),
  }
  await put(t, 'archive/rejected', 'outro.csv', table([cnpj, formatDocument(cnpj), others[23]!]))
  await put(t, 'archive/rejected', 'quebrado.xlsx', workbookOf({ Plan1: { 1: ['x'] } }).subarray(0, 200))
  await put(t, 'archive/rejected', 'foto.bin', Buffer.concat([Buffer.from([0, 1, 2]), Buffer.from(`${cnpj} `)]))
  const before = await traces(t)
  expect(before).toEqual({ texts: [], storedFiles: [], files: [] })
  for (const [place, come] of Object.entries(places)) {
    const known = JSON.stringify(await traces(t))
    await come()
    expect(JSON.stringify(await traces(t)), `${place} is found`).not.toBe(known)
  }

  const { batches } = await eraseDocument(t.tools, person, 'test')
  for (const id of batches) await until(async () => (await readBatch(t.sql, id))?.exportedAt)

  expect(await traces(t)).toEqual({ texts: [], storedFiles: [], files: [] })
  expect(await leftOf(t, person)).toEqual([])
  const reports = (await readAll(join(t.home, 'outbox'))).map(({ text }) => text).join('\n')
  expect(others.slice(20, 22).filter((other) => !reports.includes(other))).toEqual([])
  expect(reports).toContain(`${cnpj};nada;ok;`)
  expect(await t.sql`select from vigia.lookup where question = ${cnpj} and state = 'ok'`).toHaveLength(1)
  const rejected = join(t.home, 'archive/rejected')
  expect((await readdir(rejected)).toSorted()).toEqual(['foto.bin', 'outro.csv', 'quebrado.xlsx', 'sem coluna.csv'])
  expect(await readFile(join(rejected, 'outro.csv'), 'utf8')).toBe(table([cnpj, formatDocument(cnpj), others[23]!]))
  expect(await readFile(join(rejected, 'sem coluna.csv'), 'utf8')).toContain(`Rui;${others[25]}`)
})

const traces = (t: Setup) => findTraces({ sql: t.sql, home: t.tools.home }, person)

const hand = async (t: Setup, bytes: string | Buffer, fileName = 'people.csv') =>
  t.finished(await t.submit(bytes, { fileName }))

const put = async (t: Setup, folder: string, name: string, bytes: string | Buffer) => {
  await mkdir(join(t.home, folder), { recursive: true })
  await writeFile(join(t.home, folder, name), bytes)
}

const table = (texts: string[]): string =>
  ['a;b', ...texts.map((text) => `Ana;${text}`), `Rui;${others[25]}`, ''].join('\n')

const rowsOf = (texts: string[], header = 'CPF') => ({
  1: ['Nome', header, 'obs'],
  ...Object.fromEntries(texts.map((text, i) => [i + 2, ['Ana', others[i]!, text]])),
})

/** Searches everything that is stored for the digits alone, without the rule of erasing; what belongs to a company stays. */
const leftOf = async (t: Setup, document: string): Promise<string[]> => {
  const parts = await t.sql<
    { bytes: Buffer; name: string }[]
  >`select bytes, 'file ' || file_id as name from vigia.file_part`
  const stored = await Promise.all(
    parts.map(async ({ bytes, name }) => ({ name, text: await textOf(zstdDecompressSync(bytes)) })),
  )
  const all = [...stored, ...(await readAll(t.home))]
  const core = searchFor(document).core
  return all
    .filter(({ text }) => digitsOf(text).replaceAll(cnpj.replace(/^0+/, ''), '').includes(core))
    .map(({ name }) => name)
}

const digitsOf = (text: string): string =>
  text
    .replace(/[\uff10-\uff19]/g, (each) => String.fromCharCode(each.charCodeAt(0) - 0xfee0))
    .replace(/[^\da-z;\n]/gi, '')

const readAll = async (folder: string): Promise<{ name: string; text: string }[]> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  return Promise.all(files.map(async (name) => ({ name, text: `${name}\n${await textOf(await readFile(name))}` })))
}

const textOf = async (bytes: Buffer): Promise<string> => {
  if (bytes.subarray(0, 2).toString() !== 'PK') return bytes.toString()
  async function* complete() {
    yield bytes
  }
  const lines: string[] = []
  try {
    await using workbook = await readWorkbook(complete())
    for (const { name } of workbook.sheets) {
      for await (const rows of workbook.rows(name)) lines.push(...rows.map(({ cells }) => cells.join(';')))
    }
  } catch {}
  return lines.join('\n')
}
