import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { FastifyInstance } from 'fastify'
import { afterAll } from 'vitest'
import { rememberChoice } from '../../src/batches/submit.ts'
import { formatDocument, maskDocument } from '../../src/domain/document.ts'
import type { Account } from '../../src/domain/lookup.ts'
import { accounts } from '../../src/sandbox/tokens.ts'
import { insertUpload } from '../../src/store/batches/uploads.ts'
import { recordAudit } from '../../src/store/people/audit.ts'
import { createToken, hashSecret, insertOperator } from '../../src/store/people/operators.ts'
import { readPageSecret } from '../../src/store/person-key.ts'
import { sealAddress } from '../../src/web/address.ts'
import { cpf, cpfs } from '../support/documents.ts'
import { setupWeb, type WebSetup } from './setup.ts'

export const [mine, other] = accounts
const shared = cpf(900)
export const tags = { [mine.organizationId]: 'Minha', [other.organizationId]: 'Alheia' }
export const documentsOf = (account: Account) => cpfs(4, account === mine ? 100 : 500)

type Route = { method: string; url: string }

/** A page with data of two organizations, and every route that it has. */
const setupTwo = async () => {
  const routes: Route[] = []
  const collect = (published: unknown) => {
    const { fastify } = published as { fastify: FastifyInstance }
    fastify.addHook('onRoute', ({ method, url }) => {
      for (const each of [method].flat()) routes.push({ method: each, url })
    })
  }
  subscribe('fastify.initialization', collect)
  const t = await setupWeb({ config: { organizations: [other] } })
  unsubscribe('fastify.initialization', collect)
  await t.sql`
    insert into vigia.sweep (name, slot, state, trigger, due, verified, changed, detail, finished_at)
    values ('radars', 'a', 'done', 'schedule', 4, 4, 2, '{}', now())`
  const things = { mine: await fill(t, mine), other: await fill(t, other) }
  return { ...t, routes, things }
}

/** The same for the tests of a file. */
export const sharedTwo = async () => {
  let t: Awaited<ReturnType<typeof setupTwo>> | undefined
  afterAll(() => t?.[Symbol.asyncDispose]())
  t = await setupTwo()
  return t
}

/** One of everything, under the tag of its organization; returns the parameters of addresses. */
const fill = async (t: WebSetup, account: Account) => {
  const { sql } = t
  const { organizationId } = account
  const tag = tags[organizationId]!
  const [first, second] = documentsOf(account) as [string, string]
  const rows = [...documentsOf(account), shared].map((document) => `${document};${tag} Pessoa`)
  const file = `documento;nome\n${rows.join('\n')}\n`
  const batch = await t.done(file, { organizationId, fileName: `${tag}.csv`, by: tag })
  const again = `documento;nome\n${documentsOf(account).join(`;${tag}\n`)};${tag}\n`
  const earlier = await t.done(again, { organizationId, fileName: `${tag}-again.csv` })
  const asked = await t.unconfirmed(`${file}\n`, { organizationId, fileName: `${tag}-asked.csv` })
  const [lookup] = await sql<{ id: bigint }[]>`
    update vigia.lookup set state = 'unknown_outcome', charged = 'unknown', message = jsonb_build_array('text', ${`${tag} lost`}::text)
     where question = ${second} and organization_id = ${organizationId} returning id`
  await sql`
    insert into vigia.purchase (organization_id, kind, remote_id, document, dated, status, list_snapshot_id)
    values (${organizationId}, 'analysis', ${`${tag}-listed`}, ${second}, '15/11/2026', 'DONE', 0)`
  await sql`
    insert into vigia.lane (organization_id, kind, cause, message) values (${organizationId}, 'scr', 'operator', jsonb_build_array('text', ${`${tag} review`}::text))`
  const portfolio = `${tag} list`
  await sql`
    insert into vigia.portfolio (organization_id, name, kind, every_ms, due_at, added_at, added_by)
    values (${organizationId}, ${portfolio}, 'analysis', 2592000000, now() + interval '40 days', now(), ${tag})`
  await sql`
    insert into vigia.portfolio_document (portfolio_id, document, place, name)
    select id, ${shared}, 1, ${`${tag} cliente`} from vigia.portfolio where name = ${portfolio}`
  for (const document of [first, shared]) {
    await sql`
      insert into vigia.radar (organization_id, document, document_type, name, seen_at)
      values (${organizationId}, ${document}, 'CPF', ${`${tag} radar`}, now())`
    await sql`
      insert into vigia.snapshot (sweep_id, organization_id, document, processes, verified_at, tries)
      values (1, ${organizationId}, ${document}, 7, now(), 1)`
  }
  const [change] = await sql<{ id: bigint }[]>`
    insert into vigia.change (sweep_id, organization_id, document, field, verdict, before, after, weight, seen_at)
    values (1, ${organizationId}, ${shared}, 'name', 'renamed', ${`${tag} old`}, ${`${tag} new`}, 30000000000000000, now())
    returning id`
  await sql`
    insert into vigia.suspicious_list (organization_id, sweep_id, message, radars, seen_at)
    values (${organizationId}, 1, jsonb_build_array('text', ${`${tag} short`}::text), ${sql.json([{ document: shared }])}, now())`
  await sql`
    insert into vigia.usage_day (organization_id, day, reported, recorded, differing, read_at)
    values (${organizationId}, current_date - 3, 2, 1, ${sql.json([{ id: `${tag}-1`, document: shared, because: tag }])}, now())`
  await sql`
    insert into vigia.alert (about, body, made_at)
    values ('radars', ${sql.json({ organization: organizationId, note: tag })}, now())`
  const columns = { documento: `${tag} Doc` }
  await rememberChoice(sql, { organizationId, headers: [`${tag} Doc`, 'Nome'], columns, by: tag })
  const [choice] = await sql<{ id: bigint }[]>`
    select id from vigia.column_choice where organization_id = ${organizationId}`
  const [stored] = await sql<{ fileId: bigint }[]>`select file_id from vigia.batch where id = ${batch}`
  const kept = { fileId: stored!.fileId, kind: 'analysis' as const, fileName: `${tag}-upload.csv`, replaces: null }
  const upload = await insertUpload(sql, { ...kept, organizationId, uploadedBy: tag, maxSpend: null, encoding: 'utf8' })
  await recordAudit(sql, tag, 'hold lane', `${organizationId}/scr`, { reason: tag })
  await recordAudit(sql, tag, 'download', `batch ${batch}`, { file: tag })
  const secret = await readPageSecret(sql)
  return {
    batch,
    earlier,
    asked,
    lookup: lookup!.id,
    change: change!.id,
    choice: choice!.id,
    upload,
    portfolio,
    organization: organizationId,
    radar: sealAddress(secret, { organizationId: BigInt(organizationId), document: first }),
    person: sealAddress(secret, { organizationId: 0n, document: first }),
    sharedPerson: sealAddress(secret, { organizationId: 0n, document: shared }),
    line: 2,
    kind: 'scr',
    what: 'report',
    name: 'usage',
    verb: 'pause',
    sweep: 1,
    rule: 1,
  }
}

export type Things = Awaited<ReturnType<typeof fill>>

/** The full answer, or the first event of a live route. */
export const textOf = async (response: Response): Promise<string> => {
  const type = response.headers.get('content-type') ?? ''
  const head = `${response.status} ${JSON.stringify([...response.headers])}`
  if (!type.includes('text/event-stream')) return head + (await response.text())
  let text = head
  const reader = response.body?.getReader()
  const decoder = new TextDecoder()
  while (reader && !text.includes('\n\n')) {
    const { value, done } = await reader.read()
    if (done) break
    text += decoder.decode(value)
  }
  await reader?.cancel()
  return text
}

/** What an answer contains of the other organization, apart from the request itself. */
export const othersIn = (text: string, asked: readonly string[] = []): string[] => {
  const documents = documentsOf(other).filter((document) => !asked.includes(document))
  const spellings = [...documents, ...documents.map(formatDocument), ...documents.map((each) => maskDocument(each))]
  const args = [tags[other.organizationId]!, ...spellings].filter((label) => text.includes(label))
  const isNamed =
    new RegExp(`\\b${other.organizationId}\\b`).test(text) && !asked.includes(String(other.organizationId))
  return isNamed ? [...args, String(other.organizationId)] : args
}

export const boundOperator = async (t: WebSetup, { organizationId }: Account, name = 'bound') => {
  const token = createToken()
  const organizations = [BigInt(organizationId)]
  await insertOperator(t.sql, { name, role: 'admin', organizations, tokenHash: hashSecret(token) })
  return token
}
