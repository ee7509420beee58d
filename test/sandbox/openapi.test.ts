import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { describeService, operationNames, operations } from '../../src/sandbox/operations.ts'
import { setup } from './ask.ts'

const kept = JSON.parse(readFileSync(resolve(import.meta.dirname, '../../openapi/registry.json'), 'utf8'))

test('openapi/registry.json is what the schemas say today (else: node openapi/write.ts)', () => {
  expect(kept).toEqual(describeService())
})

test('is served at /openapi.json', async () => {
  await using t = await setup()
  expect((await t.ask('GET', '/openapi.json')).body).toEqual(kept)
})

test('describes all 12 operations under their own ids', () => {
  const described = Object.values(describeService().paths).flatMap(
    (path) => Object.values(path) as { operationId: string }[],
  )
  expect(described.map(({ operationId }) => operationId).sort()).toEqual([...operationNames].sort())
  expect(Object.keys(operations)).toHaveLength(12)
})

test('declares every value of a path, and every reference leads somewhere', () => {
  const { paths, components, openapi } = kept
  expect(openapi).toMatch(/^3\.1\.\d+$/)
  for (const [path, item] of Object.entries(paths as Record<string, object>)) {
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    for (const { parameters, responses } of Object.values(item)) {
      expect(
        parameters.map(({ name, in: place, required }: Parameter) => place === 'path' && required && name),
      ).toEqual(inPath)
      expect(Object.keys(responses)).toEqual(['2XX', 'default'])
    }
  }
  const named = [...JSON.stringify(kept).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name!)
  expect(named.length).toBeGreaterThan(10)
  expect(named.filter((name) => !(name in components.schemas))).toEqual([])
})

type Parameter = { name: string; in: string; required: boolean }
