import { expect, test } from 'vitest'
import { cpf, cpfs } from '../support/documents.ts'
import { setupWeb } from './setup.ts'

test('a search among radars continues where its page ended, and lists a document of two organizations twice', async () => {
  await using t = await setupWeb()
  const token = await t.operator('analyst')
  const found = cpfs(120)
  await t.sql`
    insert into vigia.radar (organization_id, document, document_type, name, seen_at)
    select organization_id, document, 'CPF', 'Acme', now()
      from unnest(${found}::text[]) document, unnest(array[1, 2]) organization_id
     union all
    select 1, ${cpf(400)}, 'CPF', 'A first Acme', now()
     union all
    select 1, document, 'CPF', 'Zebra', now() from unnest(${cpfs(30, 500)}::text[]) document`
  const search = async (after?: string): Promise<string[]> => {
    const body = new URLSearchParams({ search: 'acme', ...(after && { after }) })
    const page = await (await t.call('/radars', { token, method: 'POST', body })).text()
    const links = page.match(/href="\/radars\/[^"?]+"/g) ?? []
    const next = /name="after" value="([^"]+)"/.exec(page)?.[1]
    expect(page).not.toContain('Zebra')
    return next ? [...links, ...(await search(next))] : links
  }
  const links = await search()
  expect(links).toHaveLength(241)
  expect(new Set(links).size).toBe(241)
})
