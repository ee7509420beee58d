import { expect, test } from 'vitest'
import { setupGround } from '../batches/ground.ts'
import { documents, leakedBy, spellings } from './canaries.ts'
import { columnsThatLeak } from './shown-places.ts'

test('the search finds every canary in every spelling, and nothing that only looks like one', () => {
  for (const document of documents) {
    for (const spell of spellings) {
      const line = JSON.stringify({ msg: `look-up of (${spell(document)}), again` })
      expect(leakedBy(line, { documents, secrets: [] }), spell(document)).toEqual([document])
    }
  }
  expect(leakedBy('***.219.359-** and 10021935913', { documents, secrets: ['canary-token'] })).toEqual([])
  expect(leakedBy('Bearer%20canary%2Dtoken', { documents, secrets: ['canary-token'] })).toEqual(['canary-token'])
})

test('the search finds a canary in any table, also in those of the queue', async () => {
  await using t = await setupGround()
  const canaries = { documents, secrets: ['canary-token'] }
  expect(await columnsThatLeak(t.sql, canaries)).toEqual([])
  const [, , encoded, , escaped] = spellings
  await t.sql`insert into vigia.audit (who, what, subject) values ('x', ${encoded!(documents[8]!)}, 'canary-token')`
  await t.sql`
    insert into pgboss.job (name, data, output, start_after)
    values ('send-alert', ${t.sql.json({ a: escaped!(documents[7]!) })}, '{"b":"Y2FuYXJ5LXRva2Vu"}', now() + interval '1 day')`
  await t.sql`insert into vigia.credential (registry, generation, sealed, given) values ('x', 1, 'canary-token', '')`

  expect(await columnsThatLeak(t.sql, canaries)).toEqual([
    'pgboss.job.data',
    'pgboss.job.output',
    'pgboss.job_common.data',
    'pgboss.job_common.output',
    'vigia.audit.what',
    'vigia.audit.subject',
    'vigia.credential.sealed',
  ])
})
