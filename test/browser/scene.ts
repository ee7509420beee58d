import { cpf, cpfs } from '../support/documents.ts'
import { until } from '../support/until.ts'
import type { Browsing } from './browse.ts'

const day = 86_400_000

/** A house with a past: batches in every state, rows in doubt, a held lane, and thirty nights of radars. */
export const fillHouse = async (t: Browsing): Promise<{ done: bigint; doubtful: bigint; unconfirmed: bigint }> => {
  const names = ['Ana Souza', 'José Conceição', 'Açaí do João Ltda', 'Maria Aparecida', 'Padaria São Bento']
  const lines = cpfs(180, 1000).map((document, i) => `${names[i % names.length]};${document};SP-${i}`)
  const text = `Nome;CPF;Código\r\n${lines.join('\r\n')}\r\nRepetido;${cpf(1000)};x\r\nErrado;123.456.789-00;y\r\nPlanilha;1,23457E+10;z\r\nVazio;;w\r\n`
  const done = await t.submit(Buffer.from(text, 'latin1'), {
    fileName: 'clientes março.csv',
    by: 'ana',
    source: 'page',
  })
  await t.finished(done)
  t.sandbox.setScenario({
    faults: [
      { operation: 'generate', document: cpf(1), fault: 'closedAfter', times: 1 },
      { operation: 'generate', document: cpf(5), fault: 'closedAfter', times: 1 },
    ],
    activities: { limit: 0 },
  })
  const doubtful = await t.submit(`cpf\n${cpfs(12).join('\n')}\n`, {
    fileName: 'renovações.csv',
    by: 'bruno',
    source: 'inbox',
  })
  await t.finished(doubtful)
  t.sandbox.setScenario({ faults: [], activities: {} })
  const unconfirmed = await t.submit(
    `Nome;CPF;Cidade\n${cpfs(40, 990)
      .map((d, i) => `${names[i % 5]};${d};Recife`)
      .join('\n')}\nErrado;12;Olinda\n`,
    {
      fileName: 'prospecção nordeste.csv',
      confirmAbove: -1,
      by: 'carla',
      source: 'page',
    },
  )
  await until(
    async () => (await t.sql`select from vigia.batch where id = ${unconfirmed} and state = 'unconfirmed'`).length > 0,
  )
  await fillNights(t)
  await t.sql`
    insert into vigia.lane (organization_id, kind, cause, detail, trial_at)
    values (${t.sandbox.account.organizationId}, 'scr', 'plan', 'GET /v1/scr/indicators/{document} answered 200 PLAN_NOT_ALLOWED: plano esgotado; check the plan with the registry, then resume the lane', now() + interval '5 min')`
  await t.sql`
    insert into vigia.spending_day (day, units)
    select current_date - n, (abs(sin(n)) * 900)::int from generate_series(1, 29) as n on conflict do nothing`
  return { done, doubtful, unconfirmed }
}

const fillNights = async (t: Browsing): Promise<void> => {
  const { organizationId } = t.sandbox.account
  const documents = cpfs(24, 2000)
  for (let i = 0; i < 24; i++) {
    await t.sql`
      insert into vigia.radar (organization_id, document, document_type, name, active, added_at, seen_at)
      values (${organizationId}, ${cpf(2000 + i)}, 'CPF', ${`Cliente ${String(i + 1).padStart(2, '0')} da Silva`}, ${i % 9 !== 8}, now() - interval '90 days', now())`
  }
  for (let night = 29; night >= 0; night--) {
    if (night === 12) continue
    const at = new Date(Date.now() - night * day)
    const verified = night === 7 ? 21 : 24
    const [sweep] = await t.sql<{ id: bigint }[]>`
      insert into vigia.sweep (name, slot, state, trigger, due, verified, changed, started_at, finished_at)
      values ('radars', ${at.toISOString().slice(0, 16)}, ${night === 20 ? 'failed' : 'done'}, 'schedule', 24, ${verified}, 3, ${at}, ${at})
      returning id`
    const processes = documents.map((_, i) => 3 + i + Math.floor((29 - night) / 6))
    await t.sql`
      insert into vigia.snapshot (sweep_id, organization_id, document, processes, counts, cents, verified_at)
      select ${sweep!.id}, ${organizationId}, document, processes, array[processes], array[processes * 1234567::bigint], ${at}
        from unnest(${documents}::text[], ${processes}::int[]) as seen (document, processes)`
    if (night > 2) continue
    await t.sql`
      insert into vigia.change (sweep_id, organization_id, document, field, verdict, before, after, weight, seen_at)
      values (${sweep!.id}, ${organizationId}, ${cpf(2000)}, 'RISK_WORKER_count', 'new', '0', '2', 900, ${at}),
             (${sweep!.id}, ${organizationId}, ${cpf(2001)}, 'ALL_value', 'worse', '12345.67', '99876.50', 800, ${at}),
             (${sweep!.id}, ${organizationId}, ${cpf(2002)}, 'processes', 'better', '9', '7', 100, ${at}),
             (${sweep!.id}, ${organizationId}, ${cpf(2003)}, 'radar', 'deactivated', null, null, 300, ${at})`
  }
}
