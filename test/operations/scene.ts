import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { rememberChoice } from '../../src/batches/submit.ts'
import { recordAudit } from '../../src/store/people/audit.ts'
import { cpf, cpfs, csvOf } from '../support/documents.ts'
import { environmentOf } from '../support/setup.ts'
import { until } from '../support/until.ts'
import { setupWeb, type WebSetup } from '../web/setup.ts'

const config = { budget: { perDay: 1_000, unitPrice: { amount: '1.90', currency: 'BRL' } } }

/** One of everything that views show, with a document in every text that can contain one. */
export const setupScene = async () => {
  const t = await setupWeb({ config })
  try {
    await fillBatches(t)
    await fillUnknown(t)
    await fillWatch(t)
    await fillPortfolio(t)
    await rememberChoice(t.sql, {
      organizationId: t.sandbox.account.organizationId,
      headers: ['Nome', 'Doc. Cliente'],
      columns: { documento: 'Doc. Cliente' },
      by: 'ana',
    })
    await recordAudit(t.sql, 'ana', 'confirm', 'batch 1', { toBePaid: 3 })
    await writeFile(join(t.home, 'settings.json'), JSON.stringify(config))
  } catch (error) {
    await t[Symbol.asyncDispose]()
    throw error
  }
  const env = { ...environmentOf(t.sandbox, t.databaseUrl, t.home), VIGIA_CONFIG: join(t.home, 'settings.json') }
  return { ...t, env: { ...env, LOG_LEVEL: 'fatal' } }
}

/** A batch that is done, one that a lane holds, one that needs approval, one that is paused. */
const fillBatches = async (t: WebSetup): Promise<void> => {
  const { organizationId } = t.sandbox.account
  await t.finished(await t.submit(csvOf([...cpfs(3), '12']), { fileName: `${cpf(0)}.csv` }))
  await t.sql`
    insert into vigia.lane (organization_id, kind, cause, message, trial_at, trials)
    values (${organizationId}, 'cnh', 'plan', jsonb_build_array('text', ${`no plan for ${cpf(0)}`}::text), now() + interval '1 hour', 2),
           (${organizationId}, 'scr', 'operator', '["text", "contract under review"]', null, 0)`
  const held = await t.submit(csvOf(cpfs(2, 10)), { kind: 'cnh', fileName: 'held.csv' })
  const asked = await t.submit(csvOf(cpfs(2, 20)), { confirmAbove: 0, fileName: 'asked.csv' })
  const paused = await t.submit(csvOf(cpfs(2, 30)), { kind: 'scr', fileName: 'paused.csv' })
  await until(async () => {
    const rows =
      await t.sql`select from vigia.batch where id = any(${[held, asked, paused]}) and imported_at is not null`
    return rows.length === 3
  })
  await t.sql`update vigia.batch set paused_at = now() where id = ${paused}`
}

/** A purchase whose answer was lost, and its candidate in the registry's list. */
const fillUnknown = async ({ sql }: WebSetup): Promise<void> => {
  await sql`
    update vigia.lookup set state = 'unknown_outcome', charged = 'unknown', message = jsonb_build_array('text', ${`the answer about ${cpf(1)} was lost`}::text)
     where question = ${cpf(1)}`
  await sql`update vigia.batch_count set rows = rows - 1 where batch_id = 1 and state = 'ok'`
  await sql`insert into vigia.batch_count (batch_id, state, rows) values (1, 'unknown_outcome', 1)`
  await sql`
    insert into vigia.purchase (organization_id, kind, remote_id, document, dated, status, list_snapshot_id)
    select organization_id, kind, 'listed', question, '15/11/2026', 'DONE', 0 from vigia.lookup where question = ${cpf(1)}`
}

/** A portfolio, and its run with batch 1. */
const fillPortfolio = async ({ sql, sandbox: { account } }: WebSetup): Promise<void> => {
  await sql`
    insert into vigia.portfolio (organization_id, name, kind, every_ms, due_at, runs, added_at, added_by)
    values (${account.organizationId}, 'Clients', 'analysis', 2592000000, now() + interval '40 days', 1, now(), 'ana')`
  await sql`insert into vigia.portfolio_document (portfolio_id, document, place) values (1, ${cpf(0)}, 1)`
  await sql`
    insert into vigia.sweep (name, slot, state, trigger, due, verified, changed, detail, finished_at, portfolio_id, batch_id)
    values ('portfolio', 'd', 'done', 'schedule', 1, 1, 0, '{"differences": {"unchecked": 1}}', now(), 1, 1)`
}

/** Two nights, radars on and off the list, changes of figures and of a name, a rejected list, and usage. */
const fillWatch = async ({ sql, sandbox: { account } }: WebSetup): Promise<void> => {
  const { organizationId } = account
  await sql`
    insert into vigia.sweep (name, slot, state, trigger, due, verified, changed, detail, finished_at)
    values ('radars', 'a', 'done', 'schedule', 2, 1, 1, '{"unverified": {"never asked": 1}}', now()),
           ('radars', 'b', 'done', 'operator', 2, 2, 2, '{}', now()), ('purge', 'c', 'failed', 'missed', 0, 0, 0, '{}', now())`
  await sql`insert into vigia.sweep_organization (sweep_id, organization_id, list) values (2, ${organizationId}, 'applied')`
  await sql`update vigia.batch set sweep_id = 2 where id = 1`
  await sql`
    insert into vigia.radar (organization_id, document, document_type, link_id, radar_id, name, added_at, seen_at, removed_at)
    values (${organizationId}, ${cpf(0)}, 'CPF', '1', '2', ${`Zilda ${cpf(0)}`}, now(), now(), null),
           (${organizationId}, ${cpf(1)}, 'CPF', null, null, 'Ana', null, now(), now())`
  await sql`
    insert into vigia.snapshot (sweep_id, organization_id, document, processes, verified_at, tries)
    values (2, ${organizationId}, ${cpf(0)}, 7, now(), 1)`
  await sql`
    insert into vigia.change (sweep_id, organization_id, document, field, verdict, before, after, weight, seen_at)
    values (1, ${organizationId}, ${cpf(0)}, 'processes', 'new', '0', '7', 90000000000700000, now()),
           (2, ${organizationId}, ${cpf(0)}, 'name', 'renamed', ${cpf(0)}, 'Zilda', 30000000000000000, now()),
           (2, ${organizationId}, ${cpf(1)}, 'radar', 'removed', null, null, 70000000000000000, now())`
  await sql`
    insert into vigia.suspicious_list (organization_id, sweep_id, message, radars, seen_at)
    values (${organizationId}, 2, '["list_short", 9, 10]', '[]', now())`
  await sql`
    insert into vigia.usage_day (organization_id, day, reported, recorded, differing, read_at)
    values (${organizationId}, current_date - 3, 2, 1, ${sql.json([{ id: '1', document: cpf(2), because: 'bought elsewhere' }])}, now())`
}
