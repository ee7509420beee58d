import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { faultKinds, faultRule } from '../../src/sandbox/fault-rule.ts'
import { operationNames } from '../../src/sandbox/operations.ts'
import { calmScenario, changeScenario, presetNames, scenarioSchema } from '../../src/sandbox/scenario.ts'
import { setup } from './ask.ts'

const page = readFileSync(resolve(import.meta.dirname, '../../docs/sandbox.md'), 'utf8')
const isShown = (text: string) => new RegExp(`\`([\\w.]+\\.)?${text}\``).test(page)

type Json = { properties?: Record<string, Json>; items?: Json; anyOf?: Json[]; enum?: unknown[] }

/** The names of all keys, and of all values that they take, at any depth. */
const namesIn = ({ properties = {}, items, anyOf = [], enum: values = [] }: Json): string[] => [
  ...Object.entries(properties).flatMap(([key, inner]) => [key, ...namesIn(inner)]),
  ...(items ? namesIn(items) : []),
  ...anyOf.flatMap(namesIn),
  ...values.map(String),
]

test('docs/sandbox.md lists every key of a scenario, of a world and of a fault, and every value that they take', () => {
  const schemas = [scenarioSchema, faultRule].map((schema) => z.toJSONSchema(schema, { io: 'input' }) as Json)
  const quarantined = ['ms', 'jitter', 'unavailable', 'all', 'true', 'false', 'how', 'forMs']
  const names = [...schemas.flatMap(namesIn), ...faultKinds, ...operationNames, ...presetNames()]
  expect([...new Set(names)].filter((name) => !quarantined.includes(name) && !isShown(name))).toEqual([])
})

test('every scenario that it shows can be used', () => {
  const blocks = [...page.matchAll(/```json\n(.*?)```/gs)].map(([, text]) => text!)
  const cells = [...page.matchAll(/`(\{.*?\})` \|$/gm)].map(([, text]) => text!)
  expect(cells.length).toBeGreaterThan(35)
  for (const text of [...blocks, ...cells]) {
    const shown = JSON.parse(text)
    const scenario = 'fault' in shown ? { faults: [shown] } : shown
    expect(() => changeScenario(calmScenario, scenario), text).not.toThrow()
  }
})

test('every control address that it shows answers', async () => {
  await using t = await setup()
  const lines = [...page.matchAll(/^curl (?:-X POST )?"?\$registry(\/[\w/.?=]+)"?(?: -d '(.*)')?$/gm)]
  expect(lines).toHaveLength(11)
  for (const [line, path, body] of lines) {
    const method = body || line.includes('-X POST') ? 'POST' : 'GET'
    const answer = await t.ask(method, path!, body ? JSON.parse(body) : undefined)
    expect([answer.status, line]).toEqual([200, line])
  }
})
