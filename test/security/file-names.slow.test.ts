import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { saveSpreadsheets } from '../../src/batches/export.ts'
import { startInbox } from '../../src/batches/inbox/start-inbox.ts'
import { answerAll } from '../batches/answers.ts'
import { setupGround } from '../batches/ground.ts'
import { filesBelow } from '../batches/inbox-setup.ts'
import { call } from '../cli/call.ts'
import { cpf, cpfs, csvOf } from '../support/documents.ts'
import { environmentOf, type Setup } from '../support/setup.ts'
import { until } from '../support/until.ts'
import { setupWeb, type WebSetup } from '../web/setup.ts'
import { fileNames, possibleNames } from './file-names.ts'

test('there are at least eighty names, half of which a disk can hold', () => {
  expect(new Set(fileNames).size).toBeGreaterThan(100)
  expect(possibleNames.length).toBeGreaterThan(50)
})

test('the name of an upload appears only in its own paths and headers', async () => {
  await using t = await setupWeb()
  const token = await t.operator('admin')
  const before = await elsewhere(t.home)
  for (const [n, name] of fileNames.entries()) {
    const answer = await upload(t, token, name, cpf(n))
    expect([200, 201, 422], `${JSON.stringify(name)}: ${answer.status}`).toContain(answer.status)
    if (answer.status === 422) continue
    const { batch } = (await answer.json()) as { batch: number }
    await until(
      async () => (await t.sql`select from vigia.batch where id = ${batch} and imported_at is not null`).length > 0,
    )
    await checkDownload(t, token, batch)
    await t.call(`/api/batches/${batch}/confirm`, { token, method: 'POST' })
  }
  await allReported(t)
  expect(await elsewhere(t.home)).toEqual(before)
  await checkOutbox(t)
})

test('a file that is dropped or run stays in the folders of the home, whatever its name is', async () => {
  await using t = await setupWeb()
  const before = await elsewhere(t.home)
  const { home, sql, boss, settings, log } = t.tools
  const tools = { home, sql, boss, log, accounts: t.running.accounts, clock: () => new Date() }
  for (const [n, name] of possibleNames.entries()) await writeFile(join(home.inbox, name), csvOf([cpf(n)]))
  const waiting = possibleNames.filter((name) => name.startsWith('.') || /\.(part|tmp)$/.test(name))
  {
    const inbox = await startInbox({ ...tools, settings: { ...settings, import: { ...settings.import, settle: 0 } } })
    await using _ = { [Symbol.asyncDispose]: () => inbox.stop() }
    await until(async () => (await filesBelow(home.inbox)).length === waiting.length, 60_000)
  }
  await allReported(t)
  expect((await filesBelow(home.inbox)).sort()).toEqual([...waiting].sort())
  expect((await filesBelow(home.archive)).sort()).toEqual(
    possibleNames.filter((name) => !waiting.includes(name)).sort(),
  )
  expect(await readdir(home.processing)).toEqual([])

  const folder = join(t.home, 'mine')
  await mkdir(folder)
  for (const [n, name] of possibleNames.entries()) await writeFile(join(folder, name), csvOf([cpf(1_000 + n)]))
  const paths = possibleNames.map((name) => join(folder, name))
  const env = environmentOf(t.sandbox, t.databaseUrl, t.home)
  const { exitCode, stderr } = await call(['run', '--kind', 'processes', '--json', ...paths], env)

  expect(exitCode, stderr).toBe(0)
  expect((await readdir(folder)).sort()).toEqual([...possibleNames].sort())
  expect(await elsewhere(t.home)).toEqual(before)
  await checkOutbox(t)
})

test('a spreadsheet gets our own name, whatever the registry calls it', async () => {
  await using t = await setupGround()
  const names = fileNames.filter((name) => !name.includes('\0'))
  const batch = await t.imported(csvOf(cpfs(names.length)))
  await answerAll(t.sql, batch.id)
  for (const [n, name] of names.entries())
    await t.sql`update vigia.lookup set remote_id = ${`${name}#${n}`} where question = ${cpf(n)}`
  await t.sql`update vigia.answer set data = '{"spreadsheet": "https://registry.invalid/x"}'`
  const before = await elsewhere(t.home.path)
  const folder = join(t.home.outbox, 'people.1')
  await mkdir(folder)
  const open = async () =>
    (async function* () {
      yield Buffer.from('PK')
    })()

  const { saved } = await saveSpreadsheets(t.sql, batch.id, { folder, open, signal: new AbortController().signal })

  expect(saved).toBe(names.length)
  expect(await readdir(folder)).toEqual(['spreadsheets'])
  const files = await readdir(join(folder, 'spreadsheets'))
  expect(files.filter((file) => !/^\d+-[\w-]{1,60}\.xlsx$/.test(file))).toEqual([])
  expect(files).toHaveLength(names.length)
  expect(await elsewhere(t.home.path)).toEqual(before)
})

/** The body by hand: a library would correct the name on its way. */
const upload = (t: WebSetup, token: string, name: string, document: string): Promise<Response> => {
  const quoted = name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
  const head = `--x\r\ncontent-disposition: form-data; name="kind"\r\n\r\nprocesses\r\n--x\r\ncontent-disposition: form-data; name="file"; filename="${quoted}"\r\n\r\n`
  const body = `${head}${csvOf([document])}\r\n--x--\r\n`
  return t.call('/api/batches', {
    token,
    method: 'POST',
    body,
    headers: { 'content-type': 'multipart/form-data; boundary=x' },
  })
}

const wellFormed = /^attachment; filename="([\w .-]+)"; filename\*=UTF-8''((?:[\w.!~-]|%[0-9A-F]{2})+)$/

const checkDownload = async (t: WebSetup, token: string, batch: number): Promise<void> => {
  const file = await t.call(`/api/batches/${batch}/files/report`, { token })
  expect(file.status).toBe(200)
  const [, plain, encoded] = wellFormed.exec(file.headers.get('content-disposition')!) ?? []
  expect(plain).toMatch(new RegExp(`\\.${batch}\\.report\\.csv$`))
  expect(decodeURIComponent(encoded!)).toMatch(/^[^/\\\p{C}.-][^/\\\p{C}]*\.report\.csv$/u)
  await file.arrayBuffer()
}

const allReported = ({ sql }: Setup): Promise<boolean> =>
  until(async () => (await sql`select from vigia.batch where exported_at is null`).length === 0, 60_000)

/** One folder per batch, and in it three files of its name: nothing hidden, nothing deeper, nothing else. */
const checkOutbox = async ({ home, sql }: Setup): Promise<void> => {
  const batches = await sql<{ name: string; id: bigint }[]>`select name, id from vigia.batch`
  const outbox = join(home, 'outbox')
  const folders = await readdir(outbox)
  expect(folders.sort()).toEqual(batches.map(({ name, id }) => `${name}.${id}`).sort())
  expect(folders.filter((name) => /^[.\s-]|^(con|prn|aux|nul|com\d|lpt\d)\./i.test(name))).toEqual([])
  for (const { name, id } of batches) {
    const entries = await readdir(join(outbox, `${name}.${id}`), { recursive: true })
    expect(entries.sort()).toEqual([`${name}.manifest.json`, `${name}.rejects.csv`, `${name}.report.csv`].sort())
  }
}

/** The places to which a name might have led: around the home, where the program runs, and in the system. */
const elsewhere = async (home: string): Promise<string[]> => {
  const around = [dirname(home), process.cwd(), dirname(process.cwd()), homedir(), '/', '/tmp', '/etc', '/root']
  const listed = await Promise.all(around.map((folder) => readdir(folder).catch(() => [] as string[])))
  const strays = listed.flat().filter((name) => /zqx|x-evil|^(con|nul|aux|prn)\b/i.test(name))
  return [...strays, ...(await readdir(home))].filter((name) => name !== 'mine').sort()
}
