import { expect, test } from 'vitest'
import { listAudit } from '../../src/views/installation.ts'
import { browse } from './browse.ts'

test('an administrator adds an operator, whose token is shown once, changes their role and removes them', async () => {
  await using t = await browse()
  const page = await t.signedIn('admin')
  await page.goto('/system')
  await page.getByRole('link', { name: 'Operators' }).click()
  await page.getByLabel('Name', { exact: true }).fill('ana')
  await page.getByRole('button', { name: 'Add an operator' }).click()
  const token = await page.locator('.notice code').innerText()
  await page.goto('/system/operators')
  expect(await page.content()).not.toContain(token)
  const statusOf = async (path: string) => (await t.call(path, { token })).status
  expect([await statusOf('/batches'), await statusOf('/system/audit')]).toEqual([200, 403])

  const row = page.getByRole('row').filter({ hasText: 'ana' })
  await row.getByLabel('Role').selectOption('admin')
  await row.getByRole('button', { name: 'Change the role' }).click()
  await row.getByRole('cell', { name: 'administrator', exact: true }).waitFor()
  expect([await statusOf('/system/audit'), await statusOf('/system/operators')]).toEqual([200, 200])
  await t.sql`update vigia.operator set organizations = array[1::bigint] where name = 'ana'`
  expect(await statusOf('/system/operators')).toBe(403)
  const own = page.getByRole('row').filter({ hasText: /^admin/ })
  expect(await own.getByRole('button').count()).toBe(0)

  await row.getByRole('button', { name: 'Remove' }).click()
  await row.waitFor({ state: 'detached' })
  expect(await statusOf('/batches')).toBe(303)
  const done = (await listAudit(t.sql, 20)).filter(({ subject }) => subject === 'ana').map(({ what }) => what)
  expect(done).toEqual(expect.arrayContaining(['add operator', 'change role', 'remove operator']))
  expect(t.complaints).toEqual([])
})
