import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { asCalled } from '../../src/cli/command.ts'
import { call } from './call.ts'

const folder = mkdtempSync(join(tmpdir(), 'vigia-path-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
writeFileSync(join(folder, 'vigia'), '')

const checkout = { PATH: ['/nowhere', `${folder}/node_modules/.bin`].join(delimiter) }
const installed = { PATH: ['/nowhere', folder].join(delimiter) }

test('hints name the program as the reader can call it', async () => {
  expect((await call(['batch', 'x'], checkout)).stderr).toContain('`npx vigia batches` lists them')
  expect((await call(['batch', 'x'], installed)).stderr).toContain('`vigia batches` lists them')
  expect((await call(['batch', 'x'])).stderr).toContain('`vigia batches` lists them')
  expect((await call(['plan', '--help'], checkout)).stdout).toContain('$ npx vigia plan clientes.csv')
})

test('only commands are renamed, not the name of the product', () => {
  const text = "Vigia and vigia stay; `vigia run a` and 'vigia batches' and $ X=1 vigia worker do not"
  expect(asCalled(text, checkout)).toBe(
    "Vigia and vigia stay; `npx vigia run a` and 'npx vigia batches' and $ X=1 npx vigia worker do not",
  )
})

test('an unknown command points to --help', async () => {
  const unknown = await call(['bathces'], installed)
  expect(unknown.exitCode).toBe(2)
  expect(unknown.stderr).toContain('Run `vigia --help` to list the commands.')
  expect((await call(['radars', 'lits'], installed)).stderr).toContain('Run `vigia radars --help` for its commands.')
})
