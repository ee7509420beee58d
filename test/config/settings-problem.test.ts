import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { loadSettings } from '../../config/settings.ts'
import { SettingsProblem } from '../../config/settings-problem.ts'

const cwd = mkdtempSync(join(tmpdir(), 'vigia-settings-'))
afterAll(() => rmSync(cwd, { recursive: true }))

test('every wrong and unknown key of the file is named in one message, with what was meant', () => {
  const overlay = {
    timezone: 'Mars/Olympus',
    wroker: 4,
    worker: 4,
    colour: 'blue',
    organizations: [{ name: '', organizationId: 1.5, holdrId: 2, planId: '3' }],
    concurrency: { worker: 0, fleet: 'many' },
    request: { timeout: '0s', retries: -1, maxBodyBytes: null },
    polling: { first: '2 seconds', cnh: { mx: '5m' }, rader: {} },
    freshness: { analysis: 30 },
    budget: { perDay: '100' },
    import: { maxRejectShare: 2, settle: [] },
    sweeps: { radars: '61 2 * * *', usage: 'daily' },
    radarSweep: { refresh: 'process', businessDaysOnly: 'yes' },
    alerts: { webhook: 'ftp://user:secret@example.com' },
    registry: { radarSort: { param: 'sort', order: 'up' }, scrPlanId: { in: 'path', name: 'planId' } },
    web: 5,
  }
  expect(problemOf({}, overlay)).toMatchInlineSnapshot(`
    "31 settings are wrong:
      timezone                        expected a time zone such as "America/Sao_Paulo", got "Mars/Olympus"
      organizations.0.name            expected some text, got ""
      organizations.0.organizationId  expected a whole number, got 1.5
      organizations.0.holderId        expected a number, got nothing
      organizations.0.planId          expected a number, got "3"
      organizations.0.holdrId         is not a setting; did you mean organizations.0.holderId?
      concurrency.worker              expected 1 or more, got 0
      concurrency.fleet               expected a number, got "many"
      request.timeout                 expected a duration longer than zero, got "0s"
      request.retries                 expected 0 or more, got -1
      request.maxBodyBytes            expected a number, got null
      polling.first                   expected a duration such as "250ms", "30s", "5m", "24h" or "30d", got "2 seconds"
      polling.cnh.mx                  is not a setting; did you mean polling.cnh.max?
      polling.rader                   is not a setting; did you mean polling.radar?
      freshness.analysis              expected a duration such as "250ms", "30s", "5m", "24h" or "30d", got 30
      budget.perDay                   expected a number, got "100"
      import.maxRejectShare           expected 1 or less, got 2
      import.settle                   expected a duration such as "250ms", "30s", "5m", "24h" or "30d", got []
      sweeps.radars                   expected a schedule of five fields such as "0 2 * * *", got "61 2 * * *"
      sweeps.usage                    expected a schedule of five fields such as "0 2 * * *", got "daily"
      radarSweep.refresh              expected one of "processes", "none", got "process"; did you mean "processes"?
      radarSweep.businessDaysOnly     expected true or false, got "yes"
      alerts.webhook                  expected an address starting with https:// (or http:// on a trusted network)
      registry.radarSort.parameter    expected text in quotes, got nothing
      registry.radarSort.order        expected one of "ASC", "DESC", "asc", "desc", got "up"
      registry.radarSort.param        is not a setting; did you mean registry.radarSort.parameter?
      registry.scrPlanId.in           expected one of "header", "query", got "path"
      web                             expected an object in braces, got 5
      wroker                          is not a setting; did you mean concurrency.worker?
      worker                          is not a setting; did you mean concurrency.worker?
      colour                          is not a setting"
  `)
})

test('every wrong variable is named in one message', () => {
  writeFileSync(join(cwd, 'empty'), '\n')
  const env = {
    DATABASE_URL: 'mysql://root:secret@db/vigia',
    REGISTRY_URL: 'http://registry.example',
    REGISTRY_TOKEN: 'abc',
    REGISTRY_TOKEN_FILE: 'token',
    REGISTRY_EMAIL_FILE: 'missing',
    REGISTRY_USERNAME_FILE: 'empty',
    REGISTRY_ORGANIZATION_ID: 'first',
    REGISTRY_HOLDER_ID: '0',
    REGISTRY_REFRESHTOKEN: 'abc',
    VIGIA_HOEM: '/srv/vigia',
    PORT: '80a',
    LOG_LEVEL: 'inf',
  }
  expect(problemOf(env)).toMatchInlineSnapshot(`
    "13 settings are wrong:
      DATABASE_URL              expected an address such as postgres://user:password@host:5432/vigia
      REGISTRY_URL              expected https: for registry.example; http: is for this machine only
      REGISTRY_TOKEN            is set, and so is REGISTRY_TOKEN_FILE; set only one of them
      REGISTRY_REFRESH_TOKEN    is needed with REGISTRY_URL; set it, or REGISTRY_REFRESH_TOKEN_FILE
      REGISTRY_EMAIL_FILE       cannot read missing (ENOENT)
      REGISTRY_USERNAME_FILE    empty is empty
      REGISTRY_ORGANIZATION_ID  expected a whole number, 1 or more, got "first"
      REGISTRY_HOLDER_ID        expected a whole number, 1 or more, got "0"
      REGISTRY_PLAN_ID          is needed with REGISTRY_ORGANIZATION_ID and REGISTRY_HOLDER_ID
      PORT                      expected a whole number, from 0 to 65535, got "80a"
      LOG_LEVEL                 expected one of trace, debug, info, warn, error, fatal, silent, got "inf"; did you mean info?
      REGISTRY_REFRESHTOKEN     is not a setting; did you mean REGISTRY_REFRESH_TOKEN?
      VIGIA_HOEM                is not a setting; did you mean VIGIA_HOME?"
  `)
})

test('a token without an address is refused, because it would be sent to the sandbox unnoticed', () => {
  expect(problemOf({ REGISTRY_TOKEN: 'abc' })).toMatchInlineSnapshot(`
    "One setting is wrong:
      REGISTRY_TOKEN  is set, but REGISTRY_URL is not; set both, or neither for the sandbox"
  `)
})

test.each([
  'registry.example',
  'ftp://registry.example',
  'https://u:p@registry.example',
  'https://registry.example/?a=1',
])('the registry is not at %s', (url) => expect(problemOf({ REGISTRY_URL: url })).toMatch(/REGISTRY_URL +expected /))

test('settings that contradict each other are refused together', () => {
  const organization = { organizationId: 1, holderId: 2, planId: 3 }
  const overlay = {
    organizations: [organization, organization],
    polling: { cnh: { first: '2m' } },
    retention: { lookups: '7d' },
  }
  expect(problemOf({}, overlay)).toMatchInlineSnapshot(`
    "4 settings are wrong:
      organizations      organization 1 is listed twice
      polling            expected first <= max <= deadline for cnh, got 120000 ms, 60000 ms, 86400000 ms
      retention.lookups  must not be shorter than freshness.analysis
      retention.lookups  must not be shorter than freshness.cnh"
  `)
})

test('an address whose password cannot be decoded is named', () => {
  const problem = problemOf({ SMTP_URL: 'smtp://ana:50%off@mail.example.com' }, {})
  expect(problem).toContain('SMTP_URL  has a % in its user or password: write it as %25')
  expect(problem).not.toContain('50%off')
})

test('invalid values and contradictions are named in one message, each once', () => {
  const env = { REGISTRY_URL: 'https://registry.example', REGISTRY_TOKEN: 'a', SMTP_URL: 'mail', PORT: 'x' }
  const email = { from: 'a@example.com', to: ['b@example.com'], severity: 'info' }
  expect(problemOf(env, { alerts: { email }, retention: { lookups: '7d' } })).toMatchInlineSnapshot(`
    "8 settings are wrong:
      REGISTRY_REFRESH_TOKEN    is needed with REGISTRY_URL; set it, or REGISTRY_REFRESH_TOKEN_FILE
      REGISTRY_EMAIL            is needed with REGISTRY_URL; set it, or REGISTRY_EMAIL_FILE
      REGISTRY_USERNAME         is needed with REGISTRY_URL; set it, or REGISTRY_USERNAME_FILE
      PORT                      expected a whole number, from 0 to 65535, got "x"
      SMTP_URL                  expected an address such as smtp://user:password@mail.example.com:587
      REGISTRY_ORGANIZATION_ID  is needed with REGISTRY_URL, and so are REGISTRY_HOLDER_ID and REGISTRY_PLAN_ID
      retention.lookups         must not be shorter than freshness.analysis
      retention.lookups         must not be shorter than freshness.cnh"
  `)
})

test('a file that is missing, not JSON or not an object is named', () => {
  writeFileSync(join(cwd, 'broken.json'), '{ "timezone": }')
  writeFileSync(join(cwd, 'list.json'), '[]')
  expect(problemOf({ VIGIA_CONFIG: 'missing.json' })).toMatchInlineSnapshot(`
    "One setting is wrong:
      VIGIA_CONFIG  cannot read missing.json (ENOENT)"
  `)
  expect(problemOf({ VIGIA_CONFIG: 'broken.json' })).toMatch(/VIGIA_CONFIG {2}broken\.json: Unexpected token '}'/)
  expect(problemOf({ VIGIA_CONFIG: 'list.json' })).toMatchInlineSnapshot(`
    "One setting is wrong:
      VIGIA_CONFIG  expected a JSON object, got []"
  `)
})

test('no message repeats a secret', () => {
  const env = { DATABASE_URL: 'mysql://root:hunter2@db', REGISTRY_TOKEN: 'hunter2', VIGIA_WEBHOOK_SECRET: 'hunter2' }
  expect(problemOf(env, { alerts: { webhook: 'x://hunter2' } })).not.toContain('hunter2')
})

test('variables of other programs are ignored', () => {
  expect(() => loadSettings({ REGISTRY_STORAGE_DRIVER: 's3', VIGIA_TEST_DATABASE: 'x', PORTAL: '1' })).not.toThrow()
})

const problemOf = (env: Record<string, string>, overlay?: unknown): string => {
  try {
    loadSettings(env, { cwd, overlay })
  } catch (error) {
    if (error instanceof SettingsProblem) return error.message
    throw error
  }
  throw new Error('the settings were accepted')
}

test('a wrong rule is named by its position, and two rules of one name are refused', () => {
  const rule = { name: 'a', when: 'radar_removed' }
  expect(problemOf({}, { rules: [rule, { name: 'b', when: 'rains' }] })).toContain(
    'expected "when" to be one of value_grows, count_grows, appears, radar_removed',
  )
  expect(problemOf({}, { rules: [{ name: 'c', when: 'appears', classes: ['RISK_WORKR'] }] })).toContain(
    'did you mean "RISK_WORKER"?',
  )
  expect(problemOf({}, { rules: [rule, rule] })).toContain('two rules have the name "a"')
})
