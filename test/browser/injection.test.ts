import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { cpf, cpfs } from '../support/documents.ts'
import { type Browsing, browse } from './browse.ts'

/** Breaks out of text, of attributes in either quote, of a script, and of a data attribute. */
const payload = `"'><img src=x onerror="window.hacked=1"><script>window.hacked=1</script></textarea></title><svg onload=window.hacked=1>{{7*7}}`

test('no text from a file, the registry or a person becomes part of the page', async () => {
  await using t = await browse()
  const { asked, quoted } = await poison(t)
  const page = await t.signedIn('admin')
  const paths = [
    '/batches',
    `/batches?search=${encodeURIComponent(payload)}`,
    `/batches/${asked}`,
    `/batches/${asked}?outcome=${encodeURIComponent(payload)}`,
    `/batches/${asked}/rows/2`,
    `/batches/${asked}/rows/3`,
    `/batches/${asked}/compare?with=${quoted}`,
    `/batches/${asked}/risk?by=${encodeURIComponent(payload)}`,
    `/batches/${quoted}`,
    `/batches/all/pause?search=${encodeURIComponent(payload.slice(0, 90))}`,
    '/batches/all/pause',
    '/parked',
    '/radars',
    '/changes',
    '/system',
    '/system/audit',
    `/sign-in?link=${encodeURIComponent(payload)}`,
    `/nowhere/${encodeURIComponent(payload.slice(0, 60))}`,
  ]
  for (const path of paths) await expectUnharmed(page, path)
  await page.goto('/radars')
  await page.getByRole('link', { name: 'onerror' }).first().click()
  await expectUnharmed(page, page.url())
  expect(t.complaints.filter((text) => !text.includes('404'))).toEqual([])
})

const expectUnharmed = async (page: Page, path: string): Promise<void> => {
  await page.goto(path)
  await page.locator('[hx-trigger="load"] .busy').first().waitFor({ state: 'detached' })
  const found = await page.evaluate(() => ({
    hacked: 'hacked' in window,
    foreign: document.querySelectorAll('script:not([src]), [onerror], [onload], img[src="x"]').length,
  }))
  expect(found, path).toEqual({ hacked: false, foreign: 0 })
}

/** Puts the payload wherever a text can come from. */
const poison = async (t: Browsing): Promise<{ asked: bigint; quoted: bigint }> => {
  const quotedCell = `"${payload.replaceAll('"', '""')}"`
  const file = (from: number) =>
    `nome;cpf;${quotedCell}\n${cpfs(3, from)
      .map((document) => `${quotedCell};${document};${quotedCell}`)
      .join('\n')}\nx;${quotedCell};y\n`
  const asked = await t.done(file(0), { fileName: `${payload}.csv`, by: payload })
  const quoted = await t.unconfirmed(file(50), { fileName: `2${payload}.csv`, by: payload })
  const { organizationId } = t.sandbox.account
  await t.sql`
    update vigia.lookup set message = jsonb_build_array('text', ${payload}::text), seen = ${payload}, remote_id = ${payload}, trace = array[${`2026-01-01T00:00:00.000Z ${payload}`}, ${payload}]
     where question = ${cpf(0)}`
  await t.sql`update vigia.lookup set state = 'unknown_outcome', charged = 'unknown', message = jsonb_build_array('text', ${payload}::text) where question = ${cpf(1)}`
  await t.sql`update vigia.lookup set state = 'failed', message = jsonb_build_array('text', ${payload}::text) where question = ${cpf(2)}`
  await t.sql`update vigia.batch_count set rows = rows - 2 where state = 'ok' and batch_id = ${asked}`
  await t.sql`insert into vigia.batch_count values (${asked}, 'unknown_outcome', 1), (${asked}, 'failed', 1)`
  await t.sql`update vigia.batch_row set reject_reason = ${payload}, message = jsonb_build_array('text', ${payload}::text) where batch_id = ${asked} and reject_reason is not null`
  await t.sql`update vigia.batch set message = jsonb_build_array('text', ${payload}::text) where id = ${asked}`
  await t.sql`insert into vigia.lane (organization_id, kind, cause, message) values (${organizationId}, 'cnh', 'denied', jsonb_build_array('text', ${payload}::text)), (${organizationId}, 'analysis', 'plan', jsonb_build_array('text', ${payload}::text))`
  await t.sql`insert into vigia.worker (id, host, pid) values (gen_random_uuid(), ${payload}, 1)`
  await t.sql`
    insert into vigia.radar (organization_id, document, document_type, name, seen_at) values (${organizationId}, ${cpf(9)}, 'CPF', ${payload}, now())`
  const [sweep] = await t.sql<{ id: bigint }[]>`
    insert into vigia.sweep (name, slot, state, trigger, due, verified, changed) values ('radars', ${payload}, 'done', 'schedule', 2, 1, 1) returning id`
  await t.sql`
    insert into vigia.snapshot (sweep_id, organization_id, document, message) values (${sweep!.id}, ${organizationId}, ${cpf(9)}, jsonb_build_array('text', ${payload}::text))`
  await t.sql`
    insert into vigia.change (sweep_id, organization_id, document, field, verdict, before, after, seen_at)
    values (${sweep!.id}, ${organizationId}, ${cpf(9)}, ${payload}, 'renamed', ${payload}, ${payload}, now())`
  await t.sql`insert into vigia.audit (who, what, subject, detail) values (${payload}, ${payload}, ${payload}, ${t.sql.json({ [payload]: payload })})`
  return { asked, quoted }
}
