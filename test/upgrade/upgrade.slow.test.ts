import { readdir, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { until } from '../support/until.ts'
import { loadFixture, people, type Upgraded, unpack } from './load-fixture.ts'
import { comparable, type Reports, readReports, withColumnsSince, withoutChance, withReport } from './reports.ts'

/**
 * A database of 0.1.0 at a power failure: `dump.sql.gz` and the folders of its home, `journal.jsonl.gz` what the sandbox had
 * sold by then, `keys.json` the operators' tokens, `then.json.gz` the files of each batch as 0.1.0 exported them at that
 * moment, `end.json.gz` as it did after continuing to the end, `bought.json.gz` what it had bought by then.
 *
 * The program that made it is in the history of this folder (`git log -- test/upgrade/make-fixture.ts`).
 */
const old = join(import.meta.dirname, '0.1.0')

test('migrates the schema of 0.1.0, and every batch exports the same bytes as under 0.1.0, and the columns that were added', async () => {
  await using t = await loadFixture(old)
  expect(await schemaFinding(t)).toMatchObject({ ok: false, cure: 'Run `vigia migrate`.' })

  const { migrated } = await t.vigia('migrate')

  expect(migrated).toEqual((await sqlFiles()).slice(7))
  expect(await schemaFinding(t)).toMatchObject({ ok: true })
  const given = await givenByOld<Reports>('then.json.gz')
  const ours = await exportAll(t, Object.keys(given))
  for (const [id, files] of Object.entries(given))
    expect(comparable(ours[id]!), `batch ${id}`).toEqual(comparable(withColumnsSince(silentWhereLeft(files))))
})

test('finishes the open work of 0.1.0 with the reports that 0.1.0 would have written, and buys nothing else', async () => {
  await using t = await loadFixture(old)
  const before = new Set(t.sandbox.records.charges.map(({ id }) => String(id)))
  await t.vigia('migrate')
  await letPowerGoNow(t)
  const history = await readHistory(t)
  const { url } = await t.startWorker()

  await steerOn(t)
  await until(() => isOver(t), 80_000)
  await settleParked(t)
  const boughtByOld = (await givenByOld<string[]>('bought.json.gz')).sort()
  await until(async () => bought(t).length >= boughtByOld.length && (await isOver(t)), 80_000)

  expect(bought(t)).toEqual(boughtByOld)
  const given = await givenByOld<Reports>('end.json.gz')
  const ours = await exportAll(t, Object.keys(given))
  for (const [id, files] of Object.entries(given)) {
    expect(withoutChance(ours[id]!, before), `batch ${id}`).toEqual(
      withoutChance(silentWhereLeft(unknownWhereDropped(deniedByCpf(files))), before),
    )
  }
  expect(await readHistory(t)).toEqual(expect.arrayContaining(history))
  expect(await signIns(url)).toEqual([303, 303, 303, 401])
})

const sqlFiles = async () =>
  (await readdir(resolve(import.meta.dirname, '../../sql'))).filter((name) => /^\d/.test(name)).sort()

const schemaFinding = async (t: Upgraded) => {
  const { findings } = (await t.vigia('doctor')) as unknown as { findings: { check: string }[] }
  return findings.find(({ check }) => check === 'schema')
}

const givenByOld = async <Given>(name: string): Promise<Given> => JSON.parse(await unpack(old, name))

const exportAll = async (t: Upgraded, batches: string[]): Promise<Reports> => {
  const folder = join(t.home, 'exported')
  for (const id of batches) await t.vigia('export', id, '--out', join(folder, id))
  return readReports(folder)
}

/** A dropped row may have been bought. 0.1.0 recorded that it cost nothing; since then its charge is unknown. */
const unknownWhereDropped = (files: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(files).map(([name, text]) => [
      name,
      name === 'em-duvida.report.csv' ? text.replace(';cancelled;;no;', ';cancelled;;unknown;') : text,
    ]),
  )

/** 0.1.0 took the 404 of a request as final; since then the CPF itself is looked up, at the deadline. */
const deniedByCpf = (files: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(files).map(([name, text]) => [
      name,
      name === 'cnh-presa.report.csv' ? text.replace(/(;not_found;)[^;]*/, '$1there is none') : text,
    ]),
  )

/**
 * If a batch was cancelled, 0.1.0 reported for its row the answer of another batch. Since then the row says only that it
 * was cancelled, and the manifest has the sizes of that.
 */
const silentWhereLeft = (files: Record<string, string>): Record<string, string> => {
  const name = 'cancelada.report.csv'
  if (!files[name]) return files
  const report = files[name].replace(
    /^([^;]*;cancelled;;no;[^;]*;[^;]*;)(.*)$/gm,
    (_, own: string, others: string) => own + others.replace(/[^;]+/g, ''),
  )
  return withReport(files, name, report)
}

/** What had ended at the power failure is unchanged: sweeps, changes and operators are shown as before. */
const readHistory = async (t: Upgraded): Promise<unknown[]> => {
  const { sweeps } = (await t.vigia('sweeps')) as unknown as { sweeps: { state: string }[] }
  const { changes } = (await t.vigia('radars', 'changes', '--since', '3650d')) as unknown as { changes: unknown[] }
  const { operators } = (await t.vigia('operator', 'list')) as unknown as { operators: unknown[] }
  const over = sweeps.filter(({ state }) => state === 'done')
  expect([over, changes, operators].map((shown) => shown.length > 2)).toEqual([true, true, true])
  return [...over, ...changes, ...operators]
}

/** A sweep calls nothing more once its window has passed, and the fixture is older than any window. */
const letPowerGoNow = ({ sql }: Upgraded) => sql`
  update vigia.sweep set started_at = now() - ((select max(asked_at) from vigia.lookup) - started_at) where state = 'running'`

/** What was done with the old one. */
const steerOn = async (t: Upgraded): Promise<void> => {
  const idOf = async (name: string) => String((await t.sql`select id from vigia.batch where name = ${name}`)[0]!.id)
  for (const lane of ['7002/cnh', '7002/analysis', '7002/processes']) await t.vigia('lane', 'resume', lane)
  await t.vigia('resume', await idOf('pausada'))
  await t.vigia('confirm', await idOf('por-confirmar'))
  const adopted = t.sandbox.records.charges.find(({ document }) => document === people(100, 1)[0])
  const resolutions = [['--adopt', String(adopted!.id)], ['--drop'], ['--resend', '--yes']]
  const parked = await idOf('em-duvida')
  for (const [i, options] of resolutions.entries()) {
    expect(await t.vigia('resolve', parked, '--line', String(i + 2), ...options)).toMatchObject({ exitCode: 0 })
  }
}

/**
 * 0.1.0 accepted one list as complete, and repeated a call that it did not show. Now a list that is as long as its own
 * limit is rejected until another one was seen. The one call that never arrived is repeated if other unknown outcomes are
 * found meanwhile, and parked if not; then an operator sends it again.
 */
const settleParked = async (t: Upgraded): Promise<void> => {
  const rows = await t.sql`select id, question from vigia.lookup where state = 'unknown_outcome'`
  for (const { id, question } of rows) {
    expect(question).toBe(people(201, 1)[0])
    await t.vigia('resolve', '--lookup', String(id), '--resend', '--yes')
  }
}

const isOver = async ({ sql }: Upgraded): Promise<boolean> => {
  const open = await sql`
    select from vigia.batch
     where finished_at is null or (file_id is not null and state <> 'rejected' and exported_at is null)`
  const running = await sql`select from vigia.sweep where state = 'running'`
  const fromInbox = await sql`select from vigia.batch where source = 'inbox'`
  return open.length + running.length === 0 && fromInbox.length > 0
}

const bought = ({ sandbox }: Upgraded): string[] =>
  sandbox.records.charges.map(({ organizationId, kind, document }) => `${organizationId} ${kind} ${document}`).sort()

/** The three operators to whom 0.1.0 gave tokens, and the one from whom it took a token. */
const signIns = async (url: string): Promise<number[]> => {
  const keys: Record<string, string> = JSON.parse(await readFile(join(old, 'keys.json'), 'utf8'))
  const statuses = []
  for (const token of Object.values(keys)) {
    const body = new URLSearchParams({ token })
    const reply = await fetch(new URL('/sign-in', url), { method: 'POST', redirect: 'manual', body })
    statuses.push(reply.status)
  }
  return statuses
}
