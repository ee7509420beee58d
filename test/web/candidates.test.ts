import { expect, test } from 'vitest'
import { setupScene } from '../operations/scene.ts'
import { cpf } from '../support/documents.ts'

test('a parked row offers the purchases of its document in the registry’s list, with the cost of each choice', async () => {
  await using t = await setupScene()
  const read = async (path: string, token: string, language = 'en') =>
    (await t.call(path, { token, headers: { 'accept-language': language } })).text()
  const admin = await t.operator('admin', 'chief')
  for (const path of ['/parked', '/batches/1/rows/3']) {
    const page = await read(path, admin)
    expect(page).toContain('<code>listed</code>')
    expect(page).toContain('15/11/2026')
    expect(page).toContain('Adopt this one')
    expect(page).toMatch(/Extra paid look-ups: 1 \(R\$1\.90\)/)
    expect(page).not.toContain(cpf(1))
    expect(await read(path, admin, 'pt-BR')).toContain('Adotar esta')
  }
  const analyst = await read('/parked', await t.operator('analyst', 'reader'))
  expect(analyst).toContain('<code>listed</code>')
  expect(analyst).not.toContain('Adopt this one')
})
