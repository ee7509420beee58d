import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { z } from 'zod'
import { rememberChoice } from '../../src/batches/column-choices.ts'
import { apiRoutes } from '../../src/web/api/api-routes.ts'
import { call } from '../cli/call.ts'
import { cpf, cpfs, csvOf } from '../support/documents.ts'
import { setupScene } from './scene.ts'

/** One action: on the command line on one of a pair, over the API on the other. */
type Action = {
  args: string[]
  path: string
  at: string
  body?: object | FormData
}

/** Where the two differ: the API only starts a sweep; reading a person is compared in same-shapes. */
const notCompared = ['/sweeps/{name}', '/person']

test('an action returns the same keys in the same order on the command line and over the API, as described', async () => {
  await using t = await setupScene()
  const token = await t.operator('admin')
  const pairs = await setupPairs(t)

  const played = new Set<string>()
  const play = async (actions: Action[]) => {
    for (const { args, path, at, body } of actions) {
      const { reply } = apiRoutes.find((route) => route.method === 'POST' && route.path === path)!
      const { exitCode, stdout, stderr } = await call([...args, '--json'], t.env)
      expect([exitCode, stderr], args.join(' ')).toEqual([0, ''])
      const message = JSON.parse(stdout)
      const response = await t.call(`/api${at}`, { token, method: 'POST', ...formOf(body) })
      const answer = await response.json()
      expect(response.status, JSON.stringify(answer)).toBe(200)
      checkShape(reply as z.ZodObject, answer, at)
      checkShape(reply as z.ZodObject, message, args.join(' '))
      expect.soft(Object.keys(message), args.join(' ')).toEqual(Object.keys(answer))
      played.add(path)
    }
  }
  await play([
    ...portfolioActions(pairs.file),
    { args: ['submit', pairs.file], path: '/batches', at: '/batches', body: fileForm(csvOf(cpfs(3, 300))) },
    ...fleetActions,
  ])
  for (const id of pairs.done) await t.finished(id)
  await play([
    { args: ['purge', '--document', cpf(102), '--yes'], path: '/purge', at: '/purge', body: { document: cpf(112) } },
  ])

  const listed = apiRoutes.filter(({ method, operation }) => method === 'POST' && !operation).map(({ path }) => path)
  expect(new Set([...played, ...notCompared])).toEqual(new Set(listed))
})

test('an acknowledgement is returned as the change shows it, without documents', async () => {
  await using t = await setupScene()
  const token = await t.operator('admin')
  const note = ` spoke to ${cpf(1)} `
  const acknowledged = JSON.parse((await call(['radars', 'acknowledge', '1', '--note', note, '--json'], t.env)).stdout)
  const path = '/api/radars/changes/2/acknowledge'
  const answer = await (await t.call(path, { token, method: 'POST', ...formOf({ note }) })).json()

  const { changes } = await (await t.call('/api/radars/changes', { token })).json()
  const kept = [1, 2].map((wanted) => changes.find(({ id }: { id: number }) => id === wanted).acknowledged.note)
  expect([acknowledged.note, answer.note]).toEqual(kept)
  expect(kept.join()).not.toContain(cpf(1))
})

/** Accepts no other keys than the described ones; a loose shape would hide them. */
const checkShape = (shape: z.ZodObject, answer: Record<string, unknown>, what: string): void => {
  expect.soft(shape.safeParse(answer), what).toEqual({ success: true, data: answer })
  expect.soft(Object.keys(shape.shape), what).toEqual(expect.arrayContaining(Object.keys(answer)))
}

const formOf = (body: object | FormData = {}) =>
  body instanceof FormData ? { body } : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }

const fileForm = (text: string, fields: Record<string, string> = {}): FormData => {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  form.append('file', new Blob([text]), 'list.csv')
  return form
}

type Pairs = { file: string; done: bigint[] }

/** Two of everything that an action changes. */
const setupPairs = async (t: Awaited<ReturnType<typeof setupScene>>): Promise<Pairs> => {
  const { organizationId } = t.sandbox.account
  const file = join(t.home, 'list.csv')
  await writeFile(file, csvOf(cpfs(2, 200)))
  const done = [await t.submit(csvOf(cpfs(4, 100))), await t.submit(csvOf(cpfs(4, 110)))]
  for (const id of done) await t.finished(id)
  await rememberChoice(t.sql, { organizationId, headers: ['Pessoa'], columns: { documento: 'Pessoa' }, by: 'ana' })
  return { file, done }
}

const portfolioActions = (file: string): Action[] => {
  const list = csvOf(cpfs(2, 200))
  const steer = (action: string): Action => ({
    args: ['portfolio', action, 'One'],
    path: `/portfolios/{portfolio}/${action}`,
    at: `/portfolios/two/${action}`,
  })
  return [
    {
      args: ['portfolio', 'add', 'One', file, '--every', '30d'],
      path: '/portfolios',
      at: '/portfolios',
      body: fileForm(list, { name: 'Two', every: '30d' }),
    },
    {
      args: ['portfolio', 'sync', 'One', file, '--dry-run'],
      path: '/portfolios/{portfolio}/sync',
      at: '/portfolios/Two/sync?dryRun=true',
      body: fileForm(list),
    },
    ...['pause', 'resume', 'remove'].map(steer),
  ]
}

const fleetActions: Action[] = [
  { args: ['columns', '--forget', '1'], path: '/columns/{choice}/forget', at: '/columns/2/forget' },
]
