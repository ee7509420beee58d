import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { renderSchema, schemaFile } from '../../config/schema.ts'

test('config/schema.json is current (node config/schema.ts --write && npm run format)', () => {
  expect(JSON.parse(readFileSync(schemaFile, 'utf8'))).toEqual(renderSchema())
})

test('an overlay may leave out any section and any key of it, but no part of an organization, a rule or an address', () => {
  const required = JSON.stringify(renderSchema()).match(/"required":\[[^\]]*\]/g)
  expect(required).toEqual([
    '"required":["organizationId","holderId","planId"]',
    '"required":["amount","currency"]',
    '"required":["amount","currency"]',
    '"required":["name","when","classes","moreThan"]',
    '"required":["name","when","classes","by"]',
    '"required":["name","when","classes"]',
    '"required":["name","when"]',
    '"required":["from","to"]',
    '"required":["url"]',
    '"required":["url"]',
    '"required":["parameter","order"]',
    '"required":["in","name"]',
    '"required":["shows"]',
  ])
})
