import { afterAll, expect, test } from 'vitest'
import { maskDocument } from '../../src/domain/document.ts'
import { apiRoutes } from '../../src/web/api/api-routes.ts'
import { call } from '../cli/call.ts'
import { cpf } from '../support/documents.ts'
import { setupScene } from './scene.ts'

const t = await setupScene()
afterAll(() => t[Symbol.asyncDispose]())
const token = await t.operator('admin')
const { organizationId } = t.sandbox.account

/** What the addresses name in the scene. */
const named: Record<string, string> = {
  ...{ batch: '1', line: '2', portfolio: 'Clients', sweep: '1', name: 'radars' },
  organization: String(organizationId),
}

test('every answer has the described keys in the described order, and no document, of a scene with one of everything', async () => {
  await checkScene()
  await call(['usage'], t.env)
  const shown: string[] = []
  const check = async (method: string, path: string, fields?: object) => {
    const { output } = apiRoutes.find((route) => route.method === method && route.path === path)!
    const address = `/api${path.replace(/\{(\w+)\}/g, (_, name) => named[name]!)}`
    const answer = await (fields ? (await t.post(address, token, fields)).json() : t.json(address, token))
    // `parse` drops a key that the description lacks.
    expect.soft(inOrder(output.parse(answer)), path).toBe(inOrder(answer))
    shown.push(inOrder(answer))
    return answer
  }
  for (const { method, path } of apiRoutes) if (method === 'GET') await check(method, path)
  const person = await check('POST', '/person', { document: cpf(0), traces: true })
  expect(person).toMatchObject({ rows: [{ batch: 1 }], radars: [{ processes: 7 }], changes: [{}, {}] })
  const accepted = await check('POST', '/radars/{organization}/accept', {})
  expect(accepted).toEqual({ organization: organizationId, radars: 0 })
  for (const document of [cpf(0), cpf(1), cpf(2)]) expect(shown.join()).not.toContain(document)
})

test('an acknowledgement, and what a sweep did not verify, are shown without documents', async () => {
  const note = ` spoke to ${cpf(1)} `
  const acknowledged = JSON.parse((await call(['radars', 'acknowledge', '1', '--note', note, '--json'], t.env)).stdout)
  const { changes } = await t.json('/api/radars/changes', token)
  const kept = changes.find(({ id }: { id: number }) => id === 1).acknowledged.note
  expect(acknowledged.note).toEqual(kept)
  expect(kept).not.toContain(cpf(1))

  await t.sql`
    insert into vigia.snapshot (sweep_id, organization_id, document, message, tries)
    values (1, ${organizationId}, ${cpf(41)}, '["text", "processes failed"]', 3), (1, ${organizationId}, ${cpf(42)}, null, 1)`
  const args = ['sweeps', '--unverified', '1']
  const missing = [
    { document: maskDocument(cpf(41)), organizationId, unverified: 'processes failed', tries: 3 },
    { document: maskDocument(cpf(42)), organizationId, unverified: null, tries: 1 },
  ]
  expect(JSON.parse((await call([...args, '--json'], t.env)).stdout)).toEqual({ sweep: 1, missing })
  const lines = [`${maskDocument(cpf(41))}  processes failed`, `${maskDocument(cpf(42))}  not verified`]
  expect((await call(args, t.env)).stdout).toBe(`${lines.join('\n')}\n`)
})

/** As text, so that the order of the keys counts. */
const inOrder = (answer: unknown): string => JSON.stringify(answer, null, 2)

/** Otherwise empty lists would be compared. */
const checkScene = async (): Promise<void> => {
  const ask = (path: string) => t.json(`/api${path}`, token)
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
}
