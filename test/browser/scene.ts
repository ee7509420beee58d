import { Readable } from 'node:stream'
import { storeFile } from '../../src/batches/stored-file.ts'
import { submitOrKeep } from '../../src/batches/uploads.ts'
import type { Message } from '../../src/messages/message.ts'
import { insertUpload } from '../../src/store/batches/uploads.ts'
import { holdLane } from '../../src/store/fleet/lanes.ts'
import { addList, ageByMonth, run } from '../portfolios/runs.ts'
import { cpf, cpfs, csvOf } from '../support/documents.ts'
import type { Browsing } from './browse.ts'

const day = 86_400_000

/**
 * Batches by what they show; `earlier` has other answers about documents of `done`, `upload` needs its columns chosen,
 * and `list` is ready to replace the list of the portfolio.
 */
export type Scene = Record<'done' | 'earlier' | 'unknown' | 'unconfirmed' | 'upload' | 'list', bigint>

export const portfolio = '/portfolios/Carteira%20Sul'

/** Fills the database: batches in every state, parked rows, a held lane, and thirty nights of radars. */
export const fillHouse = async (t: Browsing): Promise<Scene> => {
  const names = ['Ana Souza', 'José Conceição', 'Açaí do João Ltda', 'Maria Aparecida', 'Padaria São Bento']
  const lines = cpfs(180, 1000).map((document, i) => `${names[i % names.length]};${document};SP-${i}`)
  const text = `Nome;CPF;Código\r\n${lines.join('\r\n')}\r\nRepetido;${cpf(1000)};x\r\nErrado;123.456.789-00;y\r\nPlanilha;1,23457E+10;z\r\nVazio;;w\r\n`
  const latin = Buffer.from(text, 'latin1')
  const done = await t.done(latin, { fileName: 'clientes março.csv', by: 'ana', source: 'page' })
  const lost = { operation: 'generate', fault: 'closedAfter', times: 1 } as const
  t.sandbox.setScenario({
    faults: [
      { ...lost, document: cpf(1) },
      { ...lost, document: cpf(5) },
    ],
    activities: { limit: 0 },
  })
  const outcomeUnknown = await t.done(csvOf(cpfs(12)), { fileName: 'renovações.csv', by: 'bruno', source: 'inbox' })
  t.sandbox.setScenario({ faults: [], activities: {} })
  const prospects = cpfs(40, 990).map((document, i) => `${names[i % 5]};${document};Recife`)
  const unconfirmed = await t.unconfirmed(`Nome;CPF;Cidade\n${prospects.join('\n')}\nErrado;12;Olinda\n`, {
    fileName: 'prospecção nordeste.csv',
    by: 'carla',
    source: 'page',
  })
  await fillNights(t)
  const refused: Message = ['http', 'GET /v1/scr/indicators/{document}', 200, 'PLAN_NOT_ALLOWED: plano esgotado']
  const hold = { cause: 'plan', reason: ['check_plan', refused], trialAt: new Date(Date.now() + 300_000) } as const
  const scr = { organizationId: t.sandbox.account.organizationId, kind: 'scr' } as const
  await holdLane(t.sql, scr, { ...hold, reason: [...hold.reason] }, new Date())
  await t.sql`
    insert into vigia.spending_day (day, units)
    select current_date - n, (abs(sin(n)) * 900)::int from generate_series(1, 29) as n on conflict do nothing`
  const earlier = await fillEarlier(t, done)
  const upload = await keepUpload(t)
  return { done, earlier, unknown: outcomeUnknown, unconfirmed, upload, list: await fillPortfolio(t) }
}

/** A portfolio that ran twice, a month apart, with some differences; and a list that is ready to replace its own. */
const fillPortfolio = async (t: Browsing): Promise<bigint> => {
  const documents = cpfs(12, 5000)
  const risk = (count: number) => ({ figures: { RISK_WORKER: { count, cents: count * 12_345_67 } } })
  for (const [i, document] of documents.entries()) t.sandbox.plantChange(document, risk(i % 3))
  await addList(t, 'Carteira Sul', documents)
  await run(t)
  await ageByMonth(t)
  for (const [i, document] of documents.slice(0, 5).entries())
    t.sandbox.plantChange(document, risk([1, 3, 1, 0, 0][i]!))
  await run(t)
  const file = Readable.from([Buffer.from(csvOf([...documents.slice(2), ...cpfs(3, 6000)]))])
  const { id: fileId } = await storeFile(t.sql, file)
  const { organizationId } = t.sandbox.account
  const terms = { maxSpend: null, encoding: 'utf8', replaces: null } as const
  const kept = { fileId, kind: 'analysis', fileName: 'sul dezembro.csv', organizationId, uploadedBy: 'ana' } as const
  return insertUpload(t.sql, { ...terms, ...kept })
}

/** Forty documents of a batch, of which a month earlier every third had fewer lawsuits, and every fifth more. */
const fillEarlier = async (t: Browsing, done: bigint): Promise<bigint> => {
  const { organizationId } = t.sandbox.account
  const [batch] = await t.sql<{ id: bigint }[]>`
    insert into vigia.batch (organization_id, kind, source, name, file_name, state, rows, counted, spent, created_at,
                             imported_at, started_at, finished_at, exported_at)
    select ${organizationId}, 'analysis', 'page', 'carteira outubro', 'carteira outubro.csv', 'done', 40, true, 40,
           ago, ago, ago, ago, ago
      from (select now() - interval '30 days' as ago) as month
    returning id`
  const { id } = batch!
  await t.sql`
    insert into vigia.lookup (organization_id, kind, question, document_type, batch_id, state, deadline_at, finished_at, as_of,
                              charged, sending_at, current)
    select organization_id, kind, question, document_type, ${id}, 'ok', now(), now(), now() - interval '30 days', 'yes',
           now(), false
      from vigia.lookup where batch_id = ${done} order by id limit 40`
  await t.sql`
    insert into vigia.batch_row (batch_id, line, start_at, size, lookup_id, pays)
    select ${id}, row_number() over (order by id) + 1, 0, 0, id, true from vigia.lookup where batch_id = ${id}`
  await t.sql`
    insert into vigia.answer (lookup_id, counts, cents)
    select old.id,
           array(select case when n % 3 = 0 then c / 2 when n % 5 = 0 then c + 1 else c end from unnest(a.counts) as c),
           array(select case when n % 3 = 0 then c / 2 when n % 5 = 0 then c + 500000 else c end from unnest(a.cents) as c)
      from (select id, question, row_number() over (order by id) as n from vigia.lookup where batch_id = ${id}) as old
      join vigia.lookup l on l.question = old.question and l.batch_id = ${done}
      join vigia.answer a on a.lookup_id = l.id`
  await t.sql`insert into vigia.batch_count values (${id}, 'ok', 40)`
  return id
}

/** A file whose headers do not name the column of documents. */
const keepUpload = async (t: Browsing): Promise<bigint> => {
  const { organizationId } = t.sandbox.account
  const submission = { fileName: 'carteira.csv', organizationId, kind: 'analysis', source: 'page', by: 'ana' } as const
  const terms = { maxSpend: null, confirmAbove: -1, encoding: 'utf8', spreadsheets: false } as const
  const rows = cpfs(3, 3000).map((document) => `Ana;${document}`)
  const bytes = Readable.from([Buffer.from(`Quem;Chave\n${rows.join('\n')}\n`)])
  const kept = await submitOrKeep(t.sql, t.tools.boss, { ...submission, ...terms, bytes, freshSince: new Date(0) })
  if (!('upload' in kept)) throw new Error('The scene wanted a file that waits for its columns')
  return kept.upload
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
