import { expect, test } from 'vitest'
import { setupWeb } from './setup.ts'

const pages = ['/sign-in', '/batches', '/radars', '/system', '/nowhere']

test('every page says sandbox where the registry is the built-in one', async () => {
  await using t = await setupWeb({}, { registry: null })
  const token = await t.operator('analyst')
  for (const path of pages) {
    const read = async (language: string) =>
      (await t.call(path, { token, headers: { 'accept-language': language } })).text()
    expect(await read('en'), path).toContain('<span>You are using the registry built into Vigia.')
    expect(await read('pt-BR'), path).toContain('cobranças são fictícias')
  }
})

test('a registry in the settings is no sandbox', async () => {
  await using t = await setupWeb()
  const token = await t.operator('analyst')
  for (const path of pages) expect(await (await t.call(path, { token })).text(), path).not.toContain('class="sandbox')
})
