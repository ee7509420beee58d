import { expect, test } from 'vitest'
import { classifications } from '../../src/domain/classifications.ts'
import { type RiskFigures, riskChanges } from '../../src/domain/risk-change.ts'
import type { Rule } from '../../src/domain/rule.ts'
import { acknowledgeChanges, judgeChanges, replayRules } from '../../src/monitoring/rules.ts'
import type { Database } from '../../src/store/connect.ts'
import { insertChanges } from '../../src/store/radars/rules-met.ts'
import { finishSweep, insertSweep } from '../../src/store/radars/sweeps.ts'
import { listChanges } from '../../src/views/change.ts'
import { listAudit } from '../../src/views/installation.ts'
import { seededRandom } from '../chaos/random.ts'
import { openDatabase } from '../support/database.ts'
import { cpf, cpfs } from '../support/documents.ts'
import { setup } from '../support/setup.ts'
import { sweepRadars } from './sweep.ts'

const day = 86_400_000
const labour = { name: 'labour', severity: 'critical', quietMs: 7 * day, classes: ['RISK_WORKER'] } as const
const more = { name: 'two more', severity: 'warning', quietMs: 2 * day, classes: ['RISK_WORKER', 'processes'] } as const
const first = {
  name: 'first one',
  severity: 'info',
  quietMs: 30 * day,
  classes: ['RISK_WORKER', 'RISK_CRIMINAL'],
} as const
const rules: Rule[] = [
  { ...labour, when: 'value_grows', moreThanCents: 300_00 },
  { ...more, when: 'count_grows', by: 2 },
  { ...first, when: 'appears' },
]

test('a night with more changes than a page holds is judged to its end', async () => {
  await using t = await openDatabase()
  const { sql } = t
  const now = new Date()
  const sweepId = (await insertSweep(sql, { name: 'radars', slot: 'a', trigger: 'schedule', now }))!
  const changes = cpfs(2_100).map((document) => ({
    organizationId: 1n,
    document,
    field: 'processes',
    verdict: 'worse' as const,
    before: '1',
    after: '9',
    weight: 1n,
  }))
  await insertChanges(sql, sweepId, changes, now)
  await sql.begin((tx) => judgeChanges(tx, rules, sweepId))
  expect(await sql`select count(*)::int as met from vigia.rule_met where rule = 'two more'`).toEqual([{ met: 2_100 }])
})

test('the back-test reports what 150 live nights reported, with kills and for any number of nights', async () => {
  await using t = await openDatabase()
  const { sql } = t
  const random = seededRandom(20).next
  const documents = cpfs(4)
  const known = new Map(documents.map((document) => [document, randomFigures(random)]))
  for (let night = 0; night < 150; night++) {
    const startedAt = new Date(Date.UTC(2025, 0, 1 + night, 5) + Math.floor(random() * 600_000))
    const sweepId = (await insertSweep(sql, { name: 'radars', slot: `${night}`, trigger: 'schedule', now: startedAt }))!
    const changes = documents.flatMap((document) => {
      const after = random() < 0.5 ? randomFigures(random) : known.get(document)!
      const found = riskChanges(known.get(document)!, after)
      known.set(document, after)
      return found.map((change) => ({ ...change, organizationId: 1n, document }))
    })
    await sql.begin(async (tx) => {
      await insertChanges(tx, sweepId, changes, startedAt)
      await judgeChanges(tx, rules, sweepId)
    })
    // A worker that died before the end of a night leaves it to the next one, which judges again.
    if (random() < 0.1) await sql.begin((tx) => judgeChanges(tx, rules, sweepId))
    await finishSweep(sql, sweepId, { state: 'done', detail: {}, now: startedAt })
    if (random() < 0.05) await snoozeOne(sql, sweepId, new Date(startedAt.getTime() + 3_600_000))
  }

  for (const nights of [150, 90, 1]) {
    const { alerts } = await replayRules(sql, rules, nights)
    const message = alerts.map(({ id, rule, severity }) => ({ id, rule, severity }))
    expect(message).toEqual(await shownLive(sql, nights))
  }
  expect((await replayRules(sql, rules, 150)).alerts.length).toBeGreaterThan(30)
})

test('a change lists the rules that it met, and stands before those that met none', async () => {
  await using t = await setup({
    config: {
      radarSweep: { refresh: 'processes', analysisEvery: null },
      rules: [
        { name: 'two more', when: 'count_grows', classes: ['processes'], by: 2, severity: 'critical', quiet: '7d' },
        { name: 'gone', when: 'radar_removed' },
      ],
    },
  })
  const radars = cpfs(12).map((code) => t.sandbox.plantRadar({ code }))
  for (const { code } of radars) t.sandbox.plantChange(code!, { processes: 1 })
  await sweepRadars(t)
  t.sandbox.plantChange(cpf(0), { processes: 3 })
  t.sandbox.plantChange(cpf(1), { processes: 2 })
  t.sandbox.removeRadar(radars[2]!.id)
  await sweepRadars(t)

  const [first, second, third] = await listChanges(t.sql, { limit: 9 })
  expect(first).toMatchObject({ document: cpf(0), rules: [{ rule: 'two more', severity: 'critical', notified: true }] })
  expect(second).toMatchObject({ document: cpf(2), rules: [{ rule: 'gone', severity: 'warning', notified: true }] })
  expect(third).toMatchObject({ document: cpf(1), rules: [] })
})

test('an acknowledgement is stored with the change and in the audit log, never with a document in it', async () => {
  await using t = await openDatabase()
  const { sql } = t
  const sweepId = (await insertSweep(sql, { name: 'radars', slot: '1', trigger: 'schedule', now: new Date() }))!
  const change = {
    organizationId: 1n,
    document: cpf(1),
    field: 'processes',
    verdict: 'worse',
    before: '1',
    after: '4',
  } as const
  await insertChanges(sql, sweepId, [{ ...change, weight: 1n }], new Date())
  const { id } = (await listChanges(sql, { limit: 1 }))[0]!
  const acknowledgement = { by: 'ana', note: `spoke to ${cpf(1)}`, until: new Date('2030-01-01'), now: new Date() }

  await acknowledgeChanges(sql, [id], acknowledgement)

  const [acknowledged] = await listChanges(sql, { limit: 1 })
  expect(acknowledged).toMatchObject({ acknowledgedBy: 'ana', snoozedUntil: acknowledgement.until })
  const [entry] = await listAudit(sql, 1)
  expect(entry).toMatchObject({ who: 'ana', what: 'snooze', subject: `change ${id}` })
  expect(JSON.stringify([acknowledged!.note, entry])).not.toContain(cpf(1))
  const [long] = await acknowledgeChanges(sql, [id], { ...acknowledgement, note: ` ${'known '.repeat(100)}` })
  expect(long!.note).toBe((await listChanges(sql, { limit: 1 }))[0]!.note)
  await expect(acknowledgeChanges(sql, [id], { ...acknowledgement, note: ' ' })).rejects.toThrow()
  await expect(acknowledgeChanges(sql, [999n], acknowledgement)).rejects.toThrow('There is no change 999')
})

const shownLive = (sql: Database, nights: number) => sql`
  select c.id, m.rule, m.severity
    from vigia.change c join vigia.rule_met m on m.change_id = c.id
   where m.notified and c.sweep_id in (select id from vigia.sweep order by id desc limit ${nights})
   order by c.id, array_position(${rules.map(({ name }) => name)}::text[], m.rule)`

const snoozeOne = async (sql: Database, sweepId: bigint, now: Date): Promise<void> => {
  const [change] = await sql<
    { id: bigint }[]
  >`select id from vigia.change where sweep_id = ${sweepId} order by id limit 1`
  const until = new Date(now.getTime() + 10 * day)
  if (change) await acknowledgeChanges(sql, [change.id], { by: 'test', note: 'known', until, now })
}

const randomFigures = (random: () => number): RiskFigures => {
  const counts = classifications.map((key) => (/RISK_WORKER|RISK_CRIMINAL/.test(key) ? Math.floor(random() * 4) : 0))
  return {
    processes: Math.floor(random() * 6),
    counts,
    cents: counts.map((count) => BigInt(count) * BigInt(Math.floor(random() * 60_000))),
  }
}
