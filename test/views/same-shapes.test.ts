import { expect, test } from 'vitest'
import { maskDocument } from '../../src/domain/document.ts'
import { unverifiedShown } from '../../src/views/sweep.ts'
import { apiRoutes } from '../../src/web/api/api-routes.ts'
import { call } from '../cli/call.ts'
import { cpf } from '../support/documents.ts'
import { setupScene } from './scene.ts'

type Shown = { args: string[]; path: string; at?: string; query?: string; alsoShows?: string[] }

/** Commands and the API routes that return the same. `usage` first: it asks the registry, and stores the response. */
const answers: Shown[] = [
  { args: ['usage'], path: '/usage', alsoShows: ['organizations'] },
  { args: ['usage', '--days', '400'], path: '/usage', query: '?days=400', alsoShows: ['organizations'] },
  ...['2', '3', '5'].map((line) => ({
    args: ['batch', '1', '--line', line],
    path: '/batches/{batch}/rows/{line}',
    at: `/batches/1/rows/${line}`,
  })),
  { args: ['columns'], path: '/columns' },
  { args: ['radars', 'list'], path: '/radars' },
  { args: ['radars', 'list', '--removed'], path: '/radars', query: '?removed=true' },
  { args: ['radars', 'changes'], path: '/radars/changes' },
  { args: ['alerts'], path: '/alerts' },
  { args: ['portfolios'], path: '/portfolios' },
  { args: ['portfolio', 'Clients'], path: '/portfolios/{portfolio}', at: '/portfolios/Clients' },
  { args: ['rules'], path: '/rules' },
  { args: ['rules', 'test'], path: '/rules/test' },
  { args: ['rules', 'test', '--nights', '30'], path: '/rules/test', query: '?nights=30' },
  { args: ['sweeps'], path: '/sweeps' },
  { args: ['sweeps', '--limit', '50'], path: '/sweeps', query: '?limit=50' },
  { args: ['audit'], path: '/audit' },
]

/** Routes without a command that only reads. */
const onlyApi = {
  '/batches/{batch}/rows': '/batches/1/rows',
  '/plans': '/plans',
  '/workers': '/workers',
  '/sweeps/{name}': '/sweeps/radars',
}

test('the command line and the API return the same keys in the same order, as described', async () => {
  await using t = await setupScene()
  await fillPast(t)
  const token = await t.operator('admin')
  const ask = async (path: string, at: string) => {
    const { reply } = apiRoutes.find((route) => route.method === 'GET' && route.path === path)!
    const answer = await (await t.call(`/api${at}`, { token })).json()
    // `parse` drops a key that the description lacks.
    expect(inOrder(reply.parse(answer)), at).toBe(inOrder(answer))
    return answer
  }
  const shown: string[] = []
  for (const { args, path, at = path, query = '', alsoShows = [] } of answers) {
    const { stdout, stderr } = await call([...args, '--json'], t.env)
    const message = JSON.parse(stdout || stderr)
    const answer = await ask(path, `${at}${query}`)
    for (const key of alsoShows) delete message[key]
    expect(inOrder(message), args.join(' ')).toBe(inOrder(answer))
    shown.push(stdout)
  }
  for (const [path, at] of Object.entries(onlyApi)) shown.push(JSON.stringify(await ask(path, at)))
  for (const document of [cpf(0), cpf(1), cpf(2)]) expect(shown.join()).not.toContain(document)

  const { stdout } = await call(['person', cpf(0), '--json'], t.env)
  const body = JSON.stringify({ document: cpf(0), traces: true })
  const headers = { 'content-type': 'application/json' }
  const answer = await (await t.call('/api/person', { token, method: 'POST', body, headers })).json()
  const { reply } = apiRoutes.find(({ path }) => path === '/person')!
  expect(inOrder(reply.parse(answer))).toBe(inOrder(answer))
  // The API also shows the look of the command.
  expect(inOrder({ ...JSON.parse(stdout), looks: [] })).toBe(inOrder({ ...answer, looks: [] }))
  expect(answer).toMatchObject({ rows: [{ batch: 1 }], radars: [{ processes: 7 }], changes: [{}, {}] })
  expect(stdout).not.toContain(`"document": "${cpf(0)}"`)

  const listed = apiRoutes.filter(({ method, operation }) => method === 'GET' && !operation).map(({ path }) => path)
  expect(new Set([...answers.map(({ path }) => path), ...Object.keys(onlyApi)])).toEqual(new Set(listed))
})

test('the documents that a sweep did not verify are returned as described: masked, and with the reason if there is one', async () => {
  await using t = await setupScene()
  const { organizationId } = t.sandbox.account
  await t.sql`
    insert into vigia.snapshot (sweep_id, organization_id, document, unverified, tries)
    values (1, ${organizationId}, ${cpf(41)}, 'processes failed', 3), (1, ${organizationId}, ${cpf(42)}, null, 1)`
  const args = ['sweeps', '--unverified', '1']
  const output = JSON.parse((await call([...args, '--json'], t.env)).stdout)
  const missing = [
    { document: maskDocument(cpf(41)), organizationId, unverified: 'processes failed', tries: 3 },
    { document: maskDocument(cpf(42)), organizationId, unverified: null, tries: 1 },
  ]
  expect(inOrder(output)).toBe(inOrder({ sweep: 1, missing }))
  expect(inOrder(unverifiedShown.parse(output))).toBe(inOrder(output))
  const lines = [`${maskDocument(cpf(41))}  processes failed`, `${maskDocument(cpf(42))}  not verified`]
  expect((await call(args, t.env)).stdout).toBe(`${lines.join('\n')}\n`)
})

/** As text, so that the order of the keys counts. */
const inOrder = (answer: unknown): string => JSON.stringify(answer, null, 2)

/** More items than the default limits show. */
const fillPast = async ({ sql, sandbox: { account } }: Awaited<ReturnType<typeof setupScene>>): Promise<void> => {
  await sql`
    insert into vigia.sweep (name, slot, state, trigger, finished_at)
    select 'unfinished', n, 'done', 'schedule', now() from generate_series(1, 60) as n`
  await sql`
    insert into vigia.usage_day (organization_id, day, reported, recorded, differing, read_at)
    select ${account.organizationId}, current_date - n, 1, 1, '[]', now() from unnest(array[45, 90]) as n`
}

test('the scene has one of everything, so the tests above compare no empty lists', async () => {
  await using t = await setupScene()
  const token = await t.operator('admin')
  const ask = async (path: string) => (await t.call(`/api${path}`, { token })).json()
  const { batches, trouble: incidents } = await ask('/batches')
  expect(batches.map((batch: { shown: string }) => batch.shown)).toEqual(['paused', 'unconfirmed', 'held', 'done'])
  expect(incidents).toMatchObject([{ what: 'lanes_held' }, { what: 'lanes_held' }])
  expect(await ask('/batches/1')).toMatchObject({ price: { cents: 570 }, parked: [{ line: 3 }] })
  expect(await ask('/batches/2')).toMatchObject({ hold: { cause: 'plan', needsPerson: true, tries: 2 } })
  expect(await ask('/parked')).toMatchObject({ parked: [{ batch: 1, candidates: [{ id: 'listed' }] }] })
  expect(await ask('/radars?removed=true')).toMatchObject({
    radars: [{ name: 'Ana' }, { processes: 7 }],
    suspicious: [{ sweepId: 2 }],
  })
  const { changes } = await ask('/radars/changes')
  expect(changes.map((change: { verdict: string }) => change.verdict)).toEqual(['new', 'removed', 'renamed'])
  expect(await ask('/sweeps')).toMatchObject({
    sweeps: [{ name: 'portfolio' }, { name: 'purge' }, { bought: 3 }, { bought: null }],
  })
  expect(await ask('/usage')).toMatchObject({
    days: [{ difference: 1, price: { cents: 380 }, differing: [{ id: '1' }] }],
  })
  expect(await ask('/portfolios/clients')).toMatchObject({ documents: 1, lastRuns: [{ batch: 1, spent: 3 }] })
  expect(await ask('/columns')).toMatchObject({ columns: [{ columns: { documento: 'Doc. Cliente' }, by: 'ana' }] })
  expect((await ask('/audit')).entries[0]).toMatchObject({ who: 'ana', detail: { toBePaid: 3 } })
})
