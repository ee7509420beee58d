import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { connect } from '../../src/store/connect.ts'
import { dumpDatabase } from './dump.ts'
import { exportAll } from './history.ts'
import { makeClaimed } from './history-claimed.ts'
import { boughtBy, makeEnd } from './history-end.ts'
import { makePast } from './history-past.ts'
import { makeNights, makeOperators } from './history-watch.ts'
import { openOldVigia } from './old-vigia.ts'
import { readReports } from './reports.ts'

/**
 * Builds the fixture of an older Vigia again: `DATABASE_URL=… node test/upgrade/make-fixture.ts CHECKOUT VERSION`.
 *
 * CHECKOUT is a checkout of that version with its dependencies (for 0.1.0: `git worktree add --detach DIR 0b2d260`, then
 * `npm ci` there). DATABASE_URL names an empty database on a server no newer than the `pg_dump` in the path; the older it
 * is, the more servers accept the dump (0.1.0 was made on 15). It takes some minutes. It contains only the sandbox's
 * fictitious people; check `git diff --stat`, and look for names of your machine, before you commit.
 *
 * It writes into `test/upgrade/VERSION/`:
 * `dump.sql.gz` the database when the power failed · `journal.jsonl.gz` what the sandbox had sold by then ·
 * `home/` what was in its inbox · `keys.json` the operators' tokens · `then.json.gz` the files of each batch as exported
 * at that moment by the old Vigia · `end.json.gz` as it exported them after continuing to the end ·
 * `bought.json.gz` what it had bought by then.
 */
const [checkout, version] = process.argv.slice(2)
const databaseUrl = process.env.DATABASE_URL
if (!checkout || !version || !databaseUrl) throw new Error('usage: DATABASE_URL=… make-fixture.ts CHECKOUT VERSION')

const folder = await mkdtemp(join(tmpdir(), 'vigia-fixture-'))
const target = resolve(import.meta.dirname, version)
const old = await openOldVigia(resolve(checkout), databaseUrl, folder)
await old.vigia('migrate')
const sql = connect(databaseUrl, { max: 2 })
const teller = { old, sql }
const sandbox = await old.startSandbox()
try {
  await rm(target, { recursive: true, force: true })
  await mkdir(target)
  await makePast(teller)
  await makeNights(teller)
  const keys = await makeOperators(teller)
  await makeClaimed(teller)
  await exportAll(teller, join(folder, 'then'))
  await keep('then.json.gz', JSON.stringify(await readReports(join(folder, 'then'))))
  await keep(
    'dump.sql.gz',
    await dumpDatabase(databaseUrl, { [resolve(checkout)]: '/opt/vigia', [folder]: '/srv/vigia' }),
  )
  await keep('journal.jsonl.gz', await readFile(old.journal, 'utf8'))
  await writeFile(join(target, 'keys.json'), `${JSON.stringify(keys, null, 2)}\n`)
  await cp(join(old.home, 'inbox'), join(target, 'home/inbox'), { recursive: true })
  await makeEnd(teller)
  await exportAll(teller, join(folder, 'end'))
  await keep('end.json.gz', JSON.stringify(await readReports(join(folder, 'end'))))
  await keep('bought.json.gz', JSON.stringify(await boughtBy(old.journal)))
} finally {
  await sandbox.kill()
  await sql.end({ timeout: 1 })
}

async function keep(name: string, text: string): Promise<void> {
  await writeFile(join(target, name), gzipSync(text, { level: 9 }))
  console.log(`${name}: ${text.length} characters`)
}
