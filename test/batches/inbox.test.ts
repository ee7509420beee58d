import { execFile } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import {
  appendFile,
  chmod,
  link,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { exportBatch } from '../../jobs/export-batch.ts'
import { importBatch } from '../../jobs/import-batch.ts'
import { archiveFile } from '../../src/batches/inbox/archive-file.ts'
import { placesIn, takeOverClaims } from '../../src/batches/inbox/claim-file.ts'
import type { Home } from '../../src/home/folders.ts'
import { accounts } from '../../src/sandbox/tokens.ts'
import { collect } from '../files/csv/bytes.ts'
import { cpf, cpfs, csvOf } from '../support/documents.ts'
import { until } from '../support/until.ts'
import { filesBelow, setupInbox, sharedInbox } from './inbox-setup.ts'
import { workbookOf } from './people-workbook.ts'

const t = sharedInbox()

/** The files below the folder for refused files, or their text. */
const rejected = (name = '') => join(t.home.archive, 'rejected', name)

test('takes a file that no longer changes, for the kind and the organization of its folder', async () => {
  const second = accounts[1].organizationId
  await t.drop('people.csv', csvOf(cpfs(1)))
  await t.drop('cnh/drivers.csv', csvOf(cpfs(2)))
  await t.drop(`${second}/theirs.csv`, csvOf(cpfs(3)))
  await t.drop(`${second}/scr/debts.csv`, csvOf(cpfs(4)))

  await t.settle()

  const first = BigInt(accounts[0].organizationId)
  expect(await t.batches()).toMatchObject([
    { fileName: 'people.csv', kind: 'analysis', organizationId: first },
    { fileName: 'drivers.csv', kind: 'cnh', organizationId: first },
    { fileName: 'theirs.csv', kind: 'analysis', organizationId: BigInt(second) },
    { fileName: 'debts.csv', kind: 'scr', organizationId: BigInt(second) },
  ])
  expect(await filesBelow(t.home.archive)).toHaveLength(4)
  expect(await filesBelow(t.home.inbox)).toEqual([])
  expect(await filesBelow(t.home.processing)).toEqual([])
})

test('waits for a file that is still growing', async () => {
  const path = join(t.home.inbox, 'growing.csv')
  for (const n of [1, 2, 3]) {
    await appendFile(path, n === 1 ? csvOf(cpfs(1)) : `${cpf(n)}\n`)
    await t.inbox.scan()
    t.pass(1_900)
  }
  await t.inbox.scan()
  expect(await t.batches()).toEqual([])

  t.pass(100)
  await t.inbox.scan()

  expect(await t.batches()).toHaveLength(1)
})

test('returns a file to the inbox if its writer kept it open and continued to write', async () => {
  const path = join(t.home.inbox, 'open.csv')
  await writeFile(path, csvOf(cpfs(200_000)))
  const writer = await open(path, 'a')
  await t.inbox.scan()
  t.pass(2_000)
  let looking = true
  const scan = t.inbox.scan().finally(() => {
    looking = false
  })
  await until(async () => (await filesBelow(t.home.processing)).length === 1)
  for (let n = 500_000; looking; n++) await writer.write(`${cpf(n)}\n`)
  await scan

  expect(await t.batches()).toEqual([])
  expect(await filesBelow(t.home.inbox)).toEqual(['open.csv'])
  expect((await t.sql`select from vigia.file_part`).length).toBe(0)
  await writer.close()
  await t.settle()
  expect(await t.batches()).toHaveLength(1)
})

test('leaves links, folders, hidden and unfinished files alone', async () => {
  const outside = join(t.home.path, 'outside.csv')
  await writeFile(outside, csvOf(cpfs(1)))
  await symlink(outside, join(t.home.inbox, 'link.csv'))
  await symlink(t.home.path, join(t.home.inbox, String(accounts[1].organizationId)))
  await mkdir(join(t.home.inbox, 'folder.csv'))
  await link(outside, join(t.home.inbox, '.hidden.csv'))
  await link(outside, join(t.home.inbox, 'a.csv.part'))
  await link(outside, join(t.home.inbox, 'a.csv.TMP'))

  await t.settle()

  expect(await t.batches()).toEqual([])
  expect(await filesBelow(t.home.archive)).toEqual([])
  expect(await readFile(outside, 'utf8')).toBe(csvOf(cpfs(1)))
})

test('archives a bad file with the reason in two languages', async () => {
  await t.drop('clientes.csv', `nome;valor\nAna;1\n`)
  await t.drop('vazio.csv', '')

  await t.settle()

  expect((await filesBelow(rejected())).sort()).toEqual([
    'clientes.csv',
    'clientes.csv.txt',
    'vazio.csv',
    'vazio.csv.txt',
  ])
  const why = await readFile(rejected('clientes.csv.txt'), 'utf8')
  expect(why).toContain('clientes.csv was not accepted: the header has "nome", "valor"')
  expect(why).toContain(
    'clientes.csv não foi aceito: o cabeçalho tem "nome", "valor", mas nenhuma coluna de documentos',
  )
  expect(await readFile(rejected('clientes.csv'), 'utf8')).toBe(`nome;valor\nAna;1\n`)
  expect(await t.batches()).toEqual([])
})

test('takes a workbook, and refuses one with an unknown header, with the option that assigns the column', async () => {
  await t.drop('clientes.xlsx', workbookOf({ Plan1: { 1: ['Carteira'], 3: ['Nome', 'CPF'], 4: ['Ana', cpf(1)] } }))
  const unknown = workbookOf({ Plan1: { 1: ['Quem', 'Chave'], 2: ['Ana', cpf(1)], 3: ['Bia', cpf(2)] } })
  await t.drop('cnh/carteira.xlsx', unknown)

  await t.settle()

  expect(await t.batches()).toMatchObject([{ fileName: 'clientes.xlsx', kind: 'analysis' }])
  expect(await t.sql`select layout ->> 'sheet' as sheet from vigia.batch where workbook_id is not null`).toEqual([
    { sheet: 'Plan1' },
  ])
  expect((await filesBelow(t.home.archive)).sort()).toEqual(['carteira.xlsx', 'carteira.xlsx.txt', 'clientes.xlsx'])
  const why = await readFile(rejected('carteira.xlsx.txt'), 'utf8')
  expect(why).toContain('its cells show which one it is, so add --column documento="Chave"')
  expect(why).toContain('Use the option once, with `vigia submit`')
  expect(why).toContain('carteira.xlsx não foi aceito')
  expect(await readFile(rejected('carteira.xlsx'))).toEqual(unknown)
})

/** The log lines about a file that could not be taken. */
const incidentWith = (name: string): string[] =>
  t.logged.filter((line) => line.includes('file could not be taken') && line.includes(name))

test('a file that cannot be taken is logged and tried again later, and delays no other file', async () => {
  await t.sql`alter table vigia.batch add constraint poison check (file_name <> 'poison.csv')`
  await t.drop('poison.csv', csvOf(cpfs(1)))
  await t.drop('cnh/good.csv', csvOf(cpfs(2)))

  await t.settle()
  await t.inbox.scan()

  expect(await t.batches()).toMatchObject([{ fileName: 'good.csv' }])
  expect(await filesBelow(t.home.inbox)).toEqual(['poison.csv'])
  expect(await readdir(t.home.processing)).toEqual([])
  expect(incidentWith('poison.csv')).toHaveLength(1)

  await t.sql`alter table vigia.batch drop constraint poison`
  t.pass(60_000)
  await t.inbox.scan()
  expect(await t.batches()).toHaveLength(2)
  expect(await filesBelow(t.home.inbox)).toEqual([])
})

const isRoot = process.getuid?.() === 0
const hardlinks = '/proc/sys/fs/protected_hardlinks'
const protectsLinks = existsSync(hardlinks) && readFileSync(hardlinks, 'utf8').trim() === '1'

test.skipIf(isRoot)(
  'a file that only its owner may read returns to the inbox, and the log says what to do',
  async () => {
    await t.drop('private.csv', csvOf(cpfs(1)))
    await chmod(join(t.home.inbox, 'private.csv'), 0)
    await t.drop('cnh/good.csv', csvOf(cpfs(2)))

    await t.settle()

    expect(await t.batches()).toMatchObject([{ fileName: 'good.csv' }])
    expect(await filesBelow(t.home.inbox)).toEqual(['private.csv'])
    const [line] = incidentWith('private.csv')
    expect(line).toContain('let the user that runs the worker read the file')
  },
)

test('a file that cannot be archived returns to the inbox, and that is logged', async () => {
  await rm(rejected(), { recursive: true })
  await writeFile(rejected(), 'no folder')
  await t.drop('bad.csv', `nome;valor\nAna;1\n`)
  await t.drop('cnh/good.csv', csvOf(cpfs(1)))

  await t.settle()

  expect(await filesBelow(t.home.inbox)).toEqual(['bad.csv'])
  expect(await readdir(t.home.processing)).toEqual([])
  expect(await t.batches()).toMatchObject([{ fileName: 'good.csv' }])
  expect(incidentWith('bad.csv')).toHaveLength(1)
})

test('the note of a refused file does not replace a file of the same name', async () => {
  for (const name of ['bad.csv.txt', 'bad.csv']) {
    await t.drop(name, `nome;valor\n${name};1\n`)
    await t.settle()
  }

  expect(await readFile(rejected('bad.csv.txt'), 'utf8')).toBe('nome;valor\nbad.csv.txt;1\n')
  const stamped = (await readdir(rejected())).filter((name) => /^bad\.\d{4}.*Z\.csv(\.txt)?$/.test(name))
  expect(stamped).toHaveLength(2)
  expect(await readdir(rejected())).toHaveLength(4)
})

test('a refused file whose name is too long for the name of its note gets a shorter one', async () => {
  const name = `${'ã'.repeat(125)}.csv`
  await writeFile(join(t.home.path, name), 'no table')

  await archiveFile(join(t.home.path, name), { folder: t.home.archive, name, now: new Date(0), reason: 'no table' })

  const kept = `${'ã'.repeat(123)}.csv`
  expect((await filesBelow(t.home.archive)).sort()).toEqual([kept, `${kept}.txt`])
})

const memory = '/dev/shm'
const hasOtherDisk = existsSync(memory) && statSync(memory).dev !== statSync(tmpdir()).dev

test.skipIf(!hasOtherDisk)('an archive on another disk gets its files too', async () => {
  const elsewhere = await mkdtemp(join(memory, 'vigia-archive-'))
  await using _ = { [Symbol.asyncDispose]: () => rm(elsewhere, { recursive: true, force: true }) }
  await mkdir(join(elsewhere, 'rejected'))
  await rm(t.home.archive, { recursive: true })
  await symlink(elsewhere, t.home.archive)
  await t.drop('people.csv', csvOf(cpfs(1)))
  await t.drop('vazio.csv', '')

  await t.settle()

  expect(await t.batches()).toMatchObject([{ fileName: 'people.csv' }])
  expect((await filesBelow(elsewhere)).sort()).toEqual(['people.csv', 'vazio.csv', 'vazio.csv.txt'])
  expect(await readFile(join(elsewhere, 'people.csv'), 'utf8')).toBe(csvOf(cpfs(1)))
  expect(await filesBelow(t.home.inbox)).toEqual([])
  expect(await readdir(t.home.processing)).toEqual([])
})

const abandoned = `~${hostname()}~999999 1 x~aaaaaaaa`
const stamp = '2026-01-02T03-04-05Z'

test('a file whose move into the archive was cut short exists once, under its new name', async () => {
  await t.drop('daily.csv', csvOf(cpfs(1)))
  await t.settle()
  const alsoAt = join(t.home.archive, `daily.${stamp}.csv`)
  await claimFor(abandoned, 'daily.csv', csvOf(cpfs(2)), { alsoAt })

  await t.inbox.scan()

  expect(await t.batches()).toHaveLength(2)
  expect(await filesBelow(t.home.processing)).toEqual([])
  expect((await readdir(t.home.archive)).sort()).toEqual([`daily.${stamp}.csv`, 'daily.csv', 'rejected'])
})

test('a refusal that was cut short before its note gets its note, unless another file has that name', async () => {
  for (const name of ['bad.csv', 'worse.csv']) {
    if (name === 'worse.csv') await writeFile(rejected('worse.csv.txt'), 'another file')
    await claimFor(abandoned, name, 'nome;valor\nAna;1\n', { alsoAt: rejected(name) })
    await t.inbox.scan()
  }

  expect(await filesBelow(t.home.processing)).toEqual([])
  expect((await readdir(rejected())).sort()).toEqual(['bad.csv', 'bad.csv.txt', 'worse.csv', 'worse.csv.txt'])
  expect(await readFile(rejected('bad.csv.txt'), 'utf8')).toContain('bad.csv was not accepted')
  expect(await readFile(rejected('worse.csv.txt'), 'utf8')).toBe('another file')
})

test('a name without an extension is recognized with each addition', async () => {
  const path = join(t.home.path, 'daily')
  await writeFile(path, csvOf(cpfs(1)))
  await link(path, join(t.home.archive, `daily.${stamp}.abcdef12`))

  await archiveFile(path, { folder: t.home.archive, name: 'daily', now: new Date() })

  expect(await filesBelow(t.home.archive)).toEqual([`daily.${stamp}.abcdef12`])
})

test('a file that returns to the inbox is not taken for another whose name only begins alike or is unfinished', async () => {
  const { inbox } = t.home
  const path = join(t.home.path, 'a.csv')
  await writeFile(path, csvOf(cpfs(1)))
  for (const other of ['a.csv.part', 'abc.csv', 'a.2026.csv']) await link(path, join(inbox, other))

  await archiveFile(path, { folder: inbox, name: 'a.csv', now: new Date() })

  expect((await filesBelow(inbox)).sort()).toEqual(['a.2026.csv', 'a.csv', 'a.csv.part', 'abc.csv'])
})

test.skipIf(!isRoot || !protectsLinks)(
  'a file that is read-only for us gets no second name, and is archived all the same',
  async () => {
    const shared = await mkdtemp(join(tmpdir(), 'vigia-shared-'))
    await using _ = { [Symbol.asyncDispose]: () => rm(shared, { recursive: true, force: true }) }
    const archive = join(shared, 'archive')
    await mkdir(archive)
    for (const folder of [shared, archive]) await chmod(folder, 0o777)
    await writeFile(join(archive, 'theirs.csv'), 'earlier')
    await writeFile(join(shared, 'theirs.csv'), 'later', { mode: 0o644 })
    const module = join(import.meta.dirname, '../../src/batches/inbox/archive-file.ts')

    await promisify(execFile)(process.execPath, [
      '--input-type=module',
      '-e',
      `import { archiveFile } from ${JSON.stringify(module)}
    process.seteuid(65534)
    await archiveFile(${JSON.stringify(join(shared, 'theirs.csv'))},
      { folder: ${JSON.stringify(archive)}, name: 'theirs.csv', now: new Date(0) })`,
    ])

    expect(await readdir(shared)).toEqual(['archive'])
    expect((await readdir(archive)).sort()).toEqual(['theirs.1970-01-01T00-00-00Z.csv', 'theirs.csv'])
    expect(await readFile(join(archive, 'theirs.csv'), 'utf8')).toBe('earlier')
    expect(await readFile(join(archive, 'theirs.1970-01-01T00-00-00Z.csv'), 'utf8')).toBe('later')
  },
)

test('a name that looks like a path stays a name', async () => {
  await t.drop('a..\\..\\etc~passwd+x.csv', csvOf(cpfs(1)))

  await t.settle()

  expect(await filesBelow(t.home.archive)).toEqual(['a..\\..\\etc~passwd+x.csv'])
  const [row] = await t.sql<{ name: string }[]>`select name from vigia.batch`
  expect(row?.name).toBe('etc_passwd_x')
})

/** In one step, because the inbox scans by itself too and clears an empty folder of a dead process. */
const claimFor = async (
  folder: string,
  name: string,
  text: string,
  { home, alsoAt }: { home?: Home; alsoAt?: string } = {},
) => {
  const { path, processing } = home ?? t.home
  const draft = join(path, 'draft')
  await mkdir(draft)
  await writeFile(join(draft, name), text)
  if (alsoAt) await link(join(draft, name), alsoAt)
  await rename(draft, join(processing, folder))
}

test('takes over the file of a killed worker, and not that of a running one', async () => {
  await claimFor(`cnh~another-machine~1 1 x~bbbbbbbb`, 'claimed.csv', csvOf(cpfs(2)))
  await claimFor(`cnh~${hostname()}~999999 1 x~aaaaaaaa`, 'left.csv', csvOf(cpfs(1)))

  await t.inbox.scan()
  expect(await t.batches()).toMatchObject([{ fileName: 'left.csv', kind: 'cnh' }])

  t.pass(16 * 60_000)
  await t.inbox.scan()
  expect(await t.batches()).toHaveLength(2)
})

test('a file that was taken over is not taken from its new worker in turn', async () => {
  await using t = await setupInbox({ watching: false })
  const { processing } = t.home
  const places = placesIn(accounts)
  const now = new Date()
  const inMinutes = (minutes: number) => new Date(now.getTime() + minutes * 60_000)
  const abandoned = 'cnh~first-machine~1 1 x~aaaaaaaa'
  await claimFor(abandoned, 'claimed.csv', csvOf(cpfs(1)), t)
  await utimes(join(processing, abandoned), inMinutes(-20), inMinutes(-20))

  const [claim] = await collect(takeOverClaims(processing, places, () => now))
  const asOthersSeeIt = basename(claim!.folder).replace(`~${hostname()}~`, '~second-machine~')
  await rename(claim!.folder, join(processing, asOthersSeeIt))

  expect(await collect(takeOverClaims(processing, places, () => now))).toEqual([])
  expect(await collect(takeOverClaims(processing, places, () => inMinutes(16)))).toHaveLength(1)
})

test('answers the same bytes with the first reports, and asks nothing', async () => {
  await t.drop('first.csv', csvOf(cpfs(10)))
  await t.settle()
  const [batch] = await t.batches()
  const batchId = String(batch!.id)
  await importBatch.work({ batchId }, t.tools)
  await t.answer(batch!.id)
  await exportBatch.work({ batchId }, t.tools)
  const report = join(t.home.outbox, `first.${batchId}`, 'first.report.csv')
  const before = await readFile(report, 'utf8')
  await writeFile(report, 'taken away')

  await t.drop('second.csv', csvOf(cpfs(10)))
  await t.settle()

  expect(await readFile(report, 'utf8')).toBe(before)
  expect(await t.batches()).toHaveLength(1)
  expect(await t.sql`select from vigia.lookup`).toHaveLength(10)
  expect((await filesBelow(t.home.archive)).sort()).toEqual(['first.csv', 'second.csv'])
})
