import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { enMessages } from '../../src/messages/en/messages.ts'
import { en, ptBr } from '../../src/messages/labels.ts'
import type { Message } from '../../src/messages/message.ts'
import { ptBrMessages } from '../../src/messages/pt-BR/messages.ts'
import { holdLaneByHand } from '../../src/operations/lanes.ts'
import { holdLane } from '../../src/store/fleet/lanes.ts'
import { cpf, cpfs, csvOf } from '../support/documents.ts'
import { sharedWeb } from './setup.ts'

const t = await sharedWeb()
const admin = await t.operator('admin')
const analyst = await t.operator('analyst')

const holdAll = async (): Promise<void> => {
  const { organizationId } = t.sandbox.account
  const now = new Date()
  const refused: Message = ['http', 'GET /v1/scr', 200, 'PLAN_NOT_ALLOWED: plano esgotado']
  const holds = { cnh: ['check_plan', refused], scr: ['outage', 'GET /v1/scr', 20] } as const
  for (const [kind, reason] of Object.entries(holds)) {
    const lane = { organizationId, kind: kind as 'cnh' | 'scr' }
    await holdLane(t.sql, lane, { cause: 'plan', reason: [...reason] as Message, trialAt: null }, now)
  }
  await holdLaneByHand(t.sql, { organizationId, kind: 'processes' }, { by: 'ana', now })
}

/** Rows in every state, each with a reason of its own; nights, changes and held lanes. */
const keepBusy = async (): Promise<void> => {
  const rejected = ['123', '1,23457E+10', '', '191', '11111111111', 'ABC', '123.456.789-00']
  const file = `nome;cpf;ref\n${cpfs(12)
    .map((document, i) => `Ana;${document};R${i}`)
    .join('\n')}\n${rejected.map((cell) => `Bia;${cell};x`).join('\n')}\n`
  await t.done(file, { fileName: 'clientes.csv', by: 'ana', source: 'page' })
  await t.done(`cpf\n${cpfs(12).join('\n')}\n`, { kind: 'processes' })
  const reasons: [string, Message][] = [
    ['unknown_outcome', ['lost_unproven']],
    ['failed', ['gave_up', 4, ['call_no_answer', 'POST /v2/analytics', ['ms_passed', 30_000]]]],
    ['timed_out', ['last_seen', null]],
    ['over_budget', ['day_spent', 5]],
    ['plan_blocked', ['check_plan', ['http', 'POST /v2/analytics', 402, 'BLOQUEADO']]],
    ['denied', ['check_access', ['unauthorized', 'POST /v2/analytics', 401]]],
    ['cancelled', ['stopped']],
  ]
  for (const [i, [state, message]] of reasons.entries()) {
    await t.sql`
      update vigia.lookup set state = ${state}, message = ${t.sql.json(message as never)}, charged = ${state === 'unknown_outcome' ? 'unknown' : 'no'}
       where question = ${cpf(i)} and kind = 'analysis'`
  }
  await holdAll()
  const { organizationId } = t.sandbox.account
  const [sweep] = await t.sql<{ id: bigint }[]>`
    insert into vigia.sweep (name, slot, state, trigger, due, verified, changed, finished_at)
    values ('radars', 'x', 'done', 'schedule', 2, 1, 1, now()) returning id`
  await t.sql`
    insert into vigia.radar (organization_id, document, document_type, name, seen_at)
    values (${organizationId}, ${cpf(1)}, 'CPF', 'Cliente', now())`
  await t.sql`
    insert into vigia.snapshot (sweep_id, organization_id, document, message)
    values (${sweep!.id}, ${organizationId}, ${cpf(1)}, ${t.sql.json(['unverified', 'processes', 'timed_out'])})`
  await t.sql`
    insert into vigia.change (sweep_id, organization_id, document, field, verdict, before, after, seen_at)
    values (${sweep!.id}, ${organizationId}, ${cpf(1)}, 'RISK_WORKER_count', 'new', '0', '2', now())`
}

await keepBusy()

test('no page shows a sentence of the other language', async () => {
  const read = (path: string, language: string) => t.page(path, admin, language)
  const radar = /href="(\/radars\/[^"?]{20,})"/.exec(await read('/radars', 'en'))![1]!
  const lines = [2, 3, 4, 5, 6, 7, 8, 14, 15, 16, 17, 18, 19, 20]
  const paths = [
    ...['/batches', '/batches/1', '/batches/1/risk', '/batches/1/risk/top', '/batches/1/compare', '/batches/1/retry'],
    ...lines.map((line) => `/batches/1/rows/${line}`),
    ...['/batches/2/rows/2', '/parked', '/radars', '/changes', '/rules', '/system', '/system/audit', '/nowhere', radar],
  ]
  const [english, portuguese] = [sentencesOf(en, enMessages), sentencesOf(ptBr, ptBrMessages)]
  expect(Math.min(english.size, portuguese.size)).toBeGreaterThan(300)
  for (const path of paths) {
    expect(foreignIn(textOf(await read(path, 'pt-BR')), english, portuguese), path).toEqual([])
    expect(foreignIn(textOf(await read(path, 'en')), portuguese, english), path).toEqual([])
  }
})

test('the details of a report and of the rejects are in the language of the settings, or of the request', async () => {
  const read = (what: string) => t.page(`/batches/1/files/${what}`, analyst)
  expect(await read('report')).toContain(
    ';unknown_outcome;"a resposta se perdeu, e a lista do serviço não está completa";',
  )
  expect(await read('report?language=en')).toContain(';"the answer was lost, and the registry’s list is not complete";')
  expect(await read('rejects')).toContain(';14;length;"3 dígitos: um CPF tem 11')
  expect(await read('rejects?language=en')).toContain(';14;length;"3 digits: a CPF has 11')
  const written = await readFile(join(t.home, 'outbox/clientes.1/clientes.rejects.csv'), 'utf8')
  expect(written).toContain(';empty;a célula está vazia\n')
})

/** The text that a reader sees, without tags and scripts. */
const textOf = (page: string): string =>
  page
    .replaceAll(/<(script|style)[\s\S]*?<\/\1>/g, ' ')
    .replaceAll(/<[^>]+>/g, '\n')
    .replaceAll('&#39;', "'")

/** Every text of a language with more than three words; those with values in them as the pieces around the values. */
const sentencesOf = (...languages: object[]): Set<string> => new Set(languages.flatMap(piecesOf))

const piecesOf = (value: unknown): string[] => {
  if (typeof value === 'string') return isSentence(value) ? [value] : []
  if (typeof value === 'function') return piecesAround(value as (...values: unknown[]) => unknown)
  return value && typeof value === 'object' ? Object.values(value).flatMap(piecesOf) : []
}

/** A value in a text becomes a character that no page has, and the text is split there. */
const piecesAround = (say: (...values: unknown[]) => unknown): string[] => {
  try {
    const text = say(...Array(9).fill('\u0001'))
    return typeof text === 'string'
      ? text
          .split('\u0001')
          .map((piece) => piece.trim())
          .filter(isSentence)
      : []
  } catch {
    return []
  }
}

const isSentence = (text: string): boolean => text.trim().split(/\s+/).length > 3

const foreignIn = (text: string, foreign: Set<string>, own: Set<string>): string[] =>
  [...foreign].filter((sentence) => !own.has(sentence) && text.toLowerCase().includes(sentence.toLowerCase()))

const headers = { 'content-type': 'application/x-www-form-urlencoded' }

const choose = (fields: Record<string, string>) =>
  t.call('/language', { method: 'POST', headers, body: new URLSearchParams(fields) })

test('every page has a language switch, the sign-in page too, and the choice overrides the browser', async () => {
  const paths = ['/batches', '/batches/1', '/batches/1/rows/2', '/parked', '/radars', '/changes', '/system']
  for (const path of [...paths, '/system/audit', '/nowhere']) {
    const text = await t.page(path, admin)
    expect(text, path).toContain('<html lang="en"')
    expect(text, path).toContain(`name="back" value="${path}"`)
    expect(text, path).toContain('Português')
  }
  const chosen = await choose({ language: 'pt-BR', back: '/sign-in?out=1' })
  expect([chosen.status, chosen.headers.get('location')]).toEqual([303, '/sign-in?out=1'])
  const cookie = chosen.headers.get('set-cookie')!.split(';')[0]!
  const signIn = await (await t.call('/sign-in', { headers: { cookie, 'accept-language': 'en' } })).text()
  expect(signIn).toContain('<html lang="pt-BR"')
  expect(signIn).toContain('English')
})

test('the switch leads back only to this site, repeats no notice, and accepts no other language', async () => {
  for (const back of ['https://elsewhere.example/', '//elsewhere.example', '/\\elsewhere.example', 'batches', '']) {
    expect((await choose({ language: 'en', back })).headers.get('location'), back).toBe('/batches')
  }
  const spellings = ['/.//', '/..//', '/%2e//', '/.%2E//', '/./\\', '/\t/', '/.\n//', '///']
  for (const spelling of [...spellings, '/x/..//', '/\\\\', '/.///', '/;/..//']) {
    const back = `${spelling}elsewhere.example`
    const location = (await choose({ language: 'en', back })).headers.get('location')!
    expect(new URL(location, t.web.url).origin, JSON.stringify(back)).toBe(new URL(t.web.url).origin)
  }
  expect((await choose({ language: 'en', back: '/batches?a=//b#c' })).headers.get('location')).toBe('/batches?a=//b')
  expect((await choose({ language: '<x>', back: '/radars' })).headers.get('set-cookie')).toBeNull()
  const page = await t.page('/system?notice=erased&x=1', admin)
  expect(page).toContain('name="back" value="/system?x=1"')
})

test('a thousand rows are 1,000 on the English page and 1.000 on the Portuguese one', async () => {
  await t.unconfirmed(csvOf(cpfs(1_000, 100)))
  const read = async (language: string) => t.page('/batches', analyst, language)
  expect(await read('en')).toMatch(/class="number">1,000</)
  expect(await read('pt-BR')).toMatch(/class="number">1\.000</)
})
