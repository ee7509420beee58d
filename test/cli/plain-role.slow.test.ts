import { expect, test } from 'vitest'
import { cpfs, csvOf } from '../support/documents.ts'
import { type Installed, installHere as install } from './vigia-process.ts'

test('a role that may create nothing can use a current schema, and learns who can migrate an older one', async () => {
  await using t = await install()
  expect((await t.vigia('migrate')).exitCode).toBe(0)
  await withoutCreate(t)
  expect(await t.vigia('batches')).toMatchObject({ exitCode: 0, stderr: '' })
  const people = await t.write('people.csv', csvOf(cpfs(3)))
  expect(await t.vigia('run', people, '--yes')).toMatchObject({ exitCode: 0 })

  await t.sql`delete from vigia.migration where name = '038_plain_names.sql'`
  await t.sql`alter table vigia.list_snapshot rename to reading`
  const { exitCode, stderr } = await t.vigia('batches')
  expect(stderr).toMatch(/^error: .*may not change it .*Run 'vigia migrate' with a role that owns the database\.\n$/)
  expect(exitCode).toBe(1)
})

test('a role that owns only its two schemas migrates them and runs a file', async () => {
  await using t = await install()
  const url = new URL(t.env.DATABASE_URL!)
  const role = 'vigia_owner'
  await t.sql.unsafe(`
    do $$ begin
      create role ${role} login password 'owner';
    exception when duplicate_object then null;
    end $$;
    drop schema vigia cascade;
    drop schema pgboss cascade;
    create schema vigia authorization ${role};
    create schema pgboss authorization ${role}`)
  url.username = role
  url.password = 'owner'
  t.env.DATABASE_URL = url.href
  expect(await t.vigia('migrate')).toMatchObject({ exitCode: 0, stderr: '' })
  const people = await t.write('people.csv', csvOf(cpfs(3)))
  expect(await t.vigia('run', people, '--yes')).toMatchObject({ exitCode: 0 })
})

/** From here on the program connects as a role that may read and write, but create nothing. */
const withoutCreate = async (t: Installed): Promise<void> => {
  const url = new URL(t.env.DATABASE_URL!)
  const database = url.pathname.slice(1)
  const role = 'vigia_plain'
  await t.sql.unsafe(`
    do $$ begin
      create role ${role} login password 'plain';
    exception when duplicate_object then null;
    end $$;
    revoke create on database ${database} from public;
    grant all on all tables in schema vigia to ${role};
    grant all on all sequences in schema vigia to ${role};
    grant usage on schema vigia to ${role}`)
  const [boss] = await t.sql`select to_regnamespace('pgboss') is not null as there`
  if (boss!.there) {
    await t.sql.unsafe(`
      grant usage on schema pgboss to ${role};
      grant all on all tables in schema pgboss to ${role};
      grant all on all sequences in schema pgboss to ${role}`)
  }
  url.username = role
  url.password = 'plain'
  t.env.DATABASE_URL = url.href
}
