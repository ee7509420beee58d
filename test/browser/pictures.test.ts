import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { cpf, cpfs } from '../support/documents.ts'
import { type Browsing, browse } from './browse.ts'

const root = resolve(import.meta.dirname, '../..')
const folder = join(root, 'docs/pictures')
const record = join(folder, 'shown.json')
const viewport = { width: 1280, height: 800 }
const pictures = [
  { name: 'page-light', path: '/batches/1/rows/43', colorScheme: 'light', locale: 'en-US' },
  { name: 'page-dark', path: '/batches/1/risk', colorScheme: 'dark', locale: 'pt-BR' },
] as const

/**
 * Fonts, and so pixels, differ between machines. So the test compares the text on the page and a hash of its styles with
 * those stored for the pictures. `PICTURES=write` takes the pictures again.
 */
test('the pictures of the README show the page as it is', async () => {
  await using t = await browse()
  await fill(t)
  const current: Record<string, unknown> = { styles: await sumOfStyles() }
  await mkdir(folder, { recursive: true })
  for (const { name, path, ...look } of pictures) {
    const page = await open(t, path, look)
    current[name] = await textOn(page)
    if (process.env.PICTURES === 'write') await page.screenshot({ path: join(folder, `${name}.png`) })
    expect((await stat(join(folder, `${name}.png`))).size).toBeLessThan(150_000)
  }
  if (process.env.PICTURES === 'write') await writeFile(record, `${JSON.stringify(current, null, 2)}\n`)
  const advice = 'the page has changed: PICTURES=write npx vitest run --config test/browser/vitest.config.ts pictures'
  expect(current, advice).toEqual(JSON.parse(await readFile(record, 'utf8')))
  expect(t.complaints).toEqual([])
})

/** A batch of the sandbox, whose answers are the same on every machine, on a fixed day. */
const fill = async (t: Browsing): Promise<void> => {
  const names = ['Ana Souza', 'José Conceição', 'Açaí do João Ltda', 'Maria Aparecida', 'Padaria São Bento']
  const rows = cpfs(120, 1000).map((document, i) => `${names[i % names.length]};${document};SP-${i}`)
  const file = `Nome;CPF;Código\r\n${rows.join('\r\n')}\r\nRepetida;${cpf(1000)};x\r\nErrado;123.456.789-00;y\r\n`
  await t.done(file, { fileName: 'clientes março.csv', by: 'ana', source: 'page' })
  const day = '2026-11-03 09:12-03'
  await t.sql`
    update vigia.batch set created_at = ${day}, imported_at = ${day}, started_at = ${day},
                           finished_at = ${day}::timestamptz + interval '41 s', exported_at = ${day}`
  await t.sql`update vigia.lookup set as_of = ${day}, finished_at = ${day}, sending_at = ${day}`
}

const open = async (t: Browsing, path: string, look: { colorScheme: 'light' | 'dark'; locale: string }) => {
  const name = look.colorScheme === 'light' ? 'bruno' : 'carla'
  const token = await t.operator('analyst', name)
  const page = await (await t.context({ ...look, viewport })).newPage()
  await page.goto('/sign-in')
  await page.fill('input[name="token"]', token)
  await Promise.all([page.waitForURL('**/batches'), page.click('button.primary')])
  await page.goto(path)
  await page.locator('[hx-trigger="load"] .busy').first().waitFor({ state: 'detached' })
  for (const plot of await page.locator('[data-plot]').all()) await plot.locator('canvas').waitFor()
  return page
}

/** About as much text as a picture shows; the text below it contains the time of day. */
const shownLines = 45

const textOn = async (page: Page): Promise<string[]> =>
  (await page.locator('body').innerText())
    .split('\n')
    .map((line) => line.replaceAll(/\s+/g, ' ').trim())
    .filter((line) => line !== '')
    .slice(0, shownLines)

const sumOfStyles = async (): Promise<string> => {
  const styles = join(root, 'src/web/public')
  const hash = createHash('sha256')
  for (const name of (await readdir(styles)).filter((each) => each.endsWith('.css')).sort()) {
    hash.update(await readFile(join(styles, name)))
  }
  return hash.digest('hex')
}
