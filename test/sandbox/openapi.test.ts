import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { describeService, operationNames, operations } from '../../src/sandbox/operations.ts'
import { setup } from './ask.ts'
import { faultsOfDescription } from './openapi-rules.ts'

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

test('follows the rules of OpenAPI 3.1', () => {
  expect(faultsOfDescription(kept)).toEqual([])
})

test('the rules find what is broken', () => {
  const broken = structuredClone(kept)
  broken.paths['/v1/cnh'].post.operationId = 'generate'
  broken.paths['/v2/analytics/{userPlanConsumeAnalyticsId}'].post.parameters = []
  broken.paths['/v1/refreshtoken'].post.requestBody.content['application/json'].schema.$ref =
    '#/components/schemas/Nowhere'
  delete broken.paths['/v1/scr/indicators/{document}'].get.responses
  broken.components.schemas.Radar.type = 'text'
  delete broken.info.version
  expect(faultsOfDescription(broken)).toEqual([
    'info.version is missing',
    'operationId generate occurs twice',
    'post /v2/analytics/{userPlanConsumeAnalyticsId} does not declare userPlanConsumeAnalyticsId',
    'get /v1/scr/indicators/{document} has no responses',
    '#/components/schemas/Nowhere leads nowhere',
    'text is no JSON Schema type',
  ])
})
