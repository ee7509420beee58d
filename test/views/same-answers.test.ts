import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { z } from 'zod'
import { rememberChoice } from '../../src/batches/column-choices.ts'
import { settledByCommand } from '../../src/views/settled-row.ts'
import { apiRoutes } from '../../src/web/api/api-routes.ts'
import { call } from '../cli/call.ts'
import { cpf, cpfs, csvOf } from '../support/documents.ts'
import { until } from '../support/until.ts'
import { setupScene } from './scene.ts'

/** One thing that is done: on the command line to one of a pair, over the API to the other. */
type Deed = {
  words: string[]
  path: string
  at: string
  body?: object | FormData
  /** What the command line says, where that is not all that the API does. */
  shape?: z.ZodObject
}

/** What the two do not say alike: over the API a sweep only begins, and a person is read, which same-shapes compares. */
const notAlike = ['/sweeps/{name}', '/person']

test('what is done on the command line is answered as over the API, key by key and in one order, and both as it is described', async () => {
  await using t = await setupScene()
  const token = await t.operator('admin')
  const pairs = await setupPairs(t)

  const played = new Set<string>()
  const play = async (deeds: Deed[]) => {
    for (const { words, path, at, body, shape } of deeds) {
      const { reply } = apiRoutes.find((route) => route.method === 'POST' && route.path === path)!
      const { exitCode, stdout, stderr } = await call([...words, '--json'], t.env)
      expect([exitCode, stderr], words.join(' ')).toEqual([0, ''])
      const said = JSON.parse(stdout)
      const response = await t.call(`/api${at}`, { token, method: 'POST', ...formOf(body) })
      const answer = await response.json()
      expect(response.status, JSON.stringify(answer)).toBe(200)
      checkShape(reply as z.ZodObject, answer, at)
      checkShape(shape ?? (reply as z.ZodObject), said, words.join(' '))
      if (!shape) expect.soft(Object.keys(said), words.join(' ')).toEqual(Object.keys(answer))
      played.add(path)
    }
  }
  await play([...portfolioDeeds(pairs.file), ...batchDeeds(pairs), ...deedsInDoubt(pairs), ...fleetDeeds(pairs)])
  for (const id of pairs.done) await t.finished(BigInt(id))
  await play([
    { words: ['purge', '--document', cpf(102), '--yes'], path: '/purge', at: '/purge', body: { document: cpf(112) } },
  ])

  const listed = apiRoutes.filter(({ method }) => method === 'POST').map(({ path }) => path)
  expect(new Set([...played, ...notAlike])).toEqual(new Set(listed))
})

test('a word on a change is answered as the change says it, with no document in it', async () => {
  await using t = await setupScene()
  const token = await t.operator('admin')
  const note = ` spoke to ${cpf(1)} `
  const said = JSON.parse((await call(['radars', 'acknowledge', '1', '--note', note, '--json'], t.env)).stdout)
  const path = '/api/radars/changes/2/acknowledge'
  const answer = await (await t.call(path, { token, method: 'POST', ...formOf({ note }) })).json()

  const { changes } = await (await t.call('/api/radars/changes', { token })).json()
  const kept = [1, 2].map((wanted) => changes.find(({ id }: { id: number }) => id === wanted).acknowledged.note)
  expect([said.note, answer.note]).toEqual(kept)
  expect(kept.join()).not.toContain(cpf(1))
})

/** Nothing but what is described; a shape that lets others through would hide them. */
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

type Pairs = { file: string; asked: number[]; done: number[]; lookups: number[]; lane: number }

/** Two of everything to which something is done; in both that are done the first two rows are in doubt. */
const setupPairs = async (t: Awaited<ReturnType<typeof setupScene>>): Promise<Pairs> => {
  const { organizationId } = t.sandbox.account
  const file = join(t.home, 'list.csv')
  await writeFile(file, csvOf(cpfs(2, 200)))
  const asked = [
    await t.submit(csvOf(cpfs(2, 120)), { kind: 'cnh', confirmAbove: 0 }),
    await t.submit(csvOf(cpfs(2, 130)), { kind: 'cnh', confirmAbove: 0 }),
  ]
  const done = [await t.submit(csvOf(cpfs(4, 100))), await t.submit(csvOf(cpfs(4, 110)))]
  for (const id of done) await t.finished(id)
  await until(async () => {
    const rows = await t.sql`select from vigia.batch where id = any(${asked}) and imported_at is not null`
    return rows.length === 2
  })
  const inDoubt = [...cpfs(2, 100), ...cpfs(2, 110)]
  const rows = await t.sql<{ id: bigint }[]>`
    update vigia.lookup set state = 'unknown_outcome', charged = 'unknown', as_of = null
     where question = any(${inDoubt}) returning id`
  const ids = rows.map(({ id }) => id)
  await t.sql`delete from vigia.answer where lookup_id = any(${ids})`
  const [first, second] = await Promise.all(
    [cpf(101), cpf(111)].map(async (question) => {
      const [row] = await t.sql<{ id: bigint }[]>`select id from vigia.lookup where question = ${question}`
      return Number(row!.id)
    }),
  )
  await rememberChoice(t.sql, { organizationId, headers: ['Pessoa'], columns: { documento: 'Pessoa' }, by: 'ana' })
  return { file, asked: asked.map(Number), done: done.map(Number), lookups: [first!, second!], lane: organizationId }
}

const portfolioDeeds = (file: string): Deed[] => {
  const list = csvOf(cpfs(2, 200))
  const steer = (deed: string): Deed => ({
    words: ['portfolio', deed, 'One'],
    path: `/portfolios/{portfolio}/${deed}`,
    at: `/portfolios/two/${deed}`,
  })
  return [
    {
      words: ['portfolio', 'add', 'One', file, '--every', '30d'],
      path: '/portfolios',
      at: '/portfolios',
      body: fileForm(list, { name: 'Two', every: '30d' }),
    },
    {
      words: ['portfolio', 'sync', 'One', file, '--dry-run'],
      path: '/portfolios/{portfolio}/sync',
      at: '/portfolios/Two/sync?dryRun=true',
      body: fileForm(list),
    },
    ...['pause', 'resume', 'remove'].map(steer),
  ]
}

const batchDeeds = ({ file, asked: [mine, theirs] }: Pairs): Deed[] => [
  { words: ['submit', file], path: '/batches', at: '/batches', body: fileForm(csvOf(cpfs(3, 300))) },
  ...['confirm', 'pause', 'resume', 'cancel'].map((verb) => ({
    words: [verb, String(mine)],
    path: `/batches/{batch}/${verb}`,
    at: `/batches/${theirs}/${verb}`,
  })),
]

const deedsInDoubt = ({ done: [mine, theirs], lookups: [first, second] }: Pairs): Deed[] => [
  {
    words: ['resolve', String(mine), '--line', '2', '--drop'],
    path: '/batches/{batch}/rows/{line}/resolve',
    at: `/batches/${theirs}/rows/2/resolve`,
    body: { drop: true },
    shape: settledByCommand,
  },
  {
    words: ['resolve', '--lookup', String(first), '--drop'],
    path: '/parked/{lookup}/resolve',
    at: `/parked/${second}/resolve`,
    body: { drop: true },
  },
  { words: ['retry', String(mine), '--yes'], path: '/batches/{batch}/retry', at: `/batches/${theirs}/retry` },
]

const fleetDeeds = ({ lane }: Pairs): Deed[] => [
  {
    words: ['lane', 'hold', `${lane}/radar`, '--reason', 'so'],
    path: '/lanes/{organization}/{kind}/hold',
    at: `/lanes/${lane}/processes/hold`,
    body: { reason: 'so' },
  },
  {
    words: ['lane', 'resume', `${lane}/radar`],
    path: '/lanes/{organization}/{kind}/resume',
    at: `/lanes/${lane}/processes/resume`,
  },
  { words: ['columns', '--forget', '1'], path: '/columns/{choice}/forget', at: '/columns/2/forget' },
  ...['acknowledge', 'snooze'].map((word) => ({
    words: ['radars', word, '1', '--note', 'seen'],
    path: `/radars/changes/{change}/${word}`,
    at: `/radars/changes/2/${word}`,
    body: { note: 'seen' },
  })),
]
