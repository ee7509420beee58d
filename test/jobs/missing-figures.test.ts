import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { classifications } from '../../src/domain/classifications.ts'
import type { PlantedRisk } from '../../src/sandbox/data/risk.ts'
import { call } from '../cli/call.ts'
import { cpf, cpfs, csvOf } from '../support/documents.ts'
import { readCsv, sheetsIn } from '../support/read-report.ts'
import { environmentOf } from '../support/setup.ts'
import { setupWeb, sharedWeb } from '../web/setup.ts'

const none = { count: 0, cents: 0 }
const calm = { figures: Object.fromEntries(classifications.map((key) => [key, none])) }

/** A summary as a registry might send it, and the count and value of RISK_WORKER that can be read from it. */
const summaries: Summary[] = [
  { name: 'complete', planted: {}, count: '0', value: '0,00' },
  { name: 'without a class', planted: { missing: ['RISK_WORKER'] }, count: '', value: '' },
  { name: 'with a null class', planted: entry(null), count: '', value: '' },
  { name: 'without an amount', planted: entry({ vltotalProcess: null, totalProcess: 3 }), count: '3', value: '' },
  { name: 'without a count', planted: entry({ vltotalProcess: '10.00' }), count: '', value: '10,00' },
  { name: 'with a text for a class', planted: entry('n/a'), count: '', value: '' },
  { name: 'with a list for a class', planted: entry([1, '2.00']), count: '', value: '' },
  { name: 'mistyped', planted: entry({ vltotalProcess: {}, totalProcess: 'three' }), count: '', value: '' },
  { name: 'mistyped too', planted: entry({ vltotalProcess: true, totalProcess: 2.5 }), count: '', value: 'true' },
  { name: 'unreadable', planted: entry({ vltotalProcess: 'muito', totalProcess: '1e400' }), count: '', value: 'muito' },
  { name: 'too large', planted: entry({ vltotalProcess: '1e29', totalProcess: 2 ** 40 }), count: '', value: '1e29' },
  {
    name: 'with one class more',
    planted: { entries: { RISK_ENVIRONMENTAL: { vltotalProcess: '1,00', totalProcess: 1 }, X: null } },
    count: '0',
    value: '0,00',
  },
  { name: 'without any class', planted: { missing: classifications }, count: '', value: '' },
]

function entry(value: unknown): PlantedRisk {
  return { entries: { RISK_WORKER: value } }
}

const t = await sharedWeb()

/** A batch in which every document has its own summary; a figure that is not planted is zero. */
let id: bigint
beforeAll(async () => {
  for (const [i, { planted }] of summaries.entries()) t.sandbox.plantChange(cpf(i), { ...calm, ...planted })
  id = await t.submit(csvOf(cpfs(summaries.length)))
  expect(await t.finished(id)).toMatchObject({ state: 'done' })
})

const outboxOf = async (batch: bigint): Promise<string> => {
  const outbox = join(t.home, 'outbox')
  return join(outbox, (await readdir(outbox)).find((name) => name.endsWith(`.${batch}`))!)
}

test('a missing figure is an empty cell in the CSV report and in the workbook, and clears no document of risk', async () => {
  const shown = await readCsv(join(await outboxOf(id), 'people.report.csv'))
  expect(shown.map((row) => [row.result_status, row.RISK_WORKER_count, row.RISK_WORKER_value])).toEqual(
    summaries.map(({ count, value }) => ['ok', count, value]),
  )
  expect(classifications.map((key) => shown.at(-1)![`${key}_count`])).toEqual(classifications.map(() => ''))

  const list = cpfs(summaries.length).map((code) => `A;${code}`)
  const again = await t.submit(`nome;documento\n${list.join('\n')}\n`, { format: 'xlsx', language: 'en' })
  await t.finished(again)
  const { Results } = await sheetsIn(join(await outboxOf(again), 'people.report.xlsx'))
  const [header, ...rows] = Results!.map(({ cells }) => cells)
  const columns = ['Labour claims (count)', 'Labour claims (R$)', 'Risk'].map((title) => header!.indexOf(title))
  expect(rows.map((cells) => columns.map((at) => cells[at] ?? ''))).toEqual(
    summaries.map(({ count, value }) => [
      count,
      value.replace(/^(\d+),(\d\d)$/, '$1.$2').replace('.00', ''),
      levelOf(count),
    ]),
  )
})

/** A missing count says nothing about risk. */
const levelOf = (count: string): string => (count === '' ? '' : Number(count) > 0 ? 'at risk' : 'no lawsuits')

test('pages, API and command line show a missing figure as missing', async () => {
  const token = await t.operator('admin')
  const get = async (path: string): Promise<string> => {
    const response = await t.call(path, { token })
    expect([path, response.status]).toEqual([path, 200])
    return response.text()
  }
  const figuresOf = ({ count, value }: Summary) => [
    count === '' ? null : Number(count),
    value === '' ? null : value.replace(',', '.'),
  ]
  for (const [i, summary] of summaries.entries()) {
    const { answer } = JSON.parse(await get(`/api/batches/${id}/rows/${i + 2}`))
    const worker = answer.classes.find(({ key }: { key: string }) => key === 'RISK_WORKER')
    expect([summary.name, worker.count, worker.value]).toEqual([summary.name, ...figuresOf(summary)])
    const cells = cellsAfter(await get(`/batches/${id}/rows/${i + 2}`), 'Labour claims')
    expect([summary.name, cells[0]]).toEqual([summary.name, String(worker.count ?? '–')])
    expect(cells[1] === '–').toBe(worker.value === null)
  }
  const { rows } = JSON.parse(await get(`/api/batches/${id}/rows?limit=100`))
  expect(rows).toHaveLength(summaries.length)
  expect(rows.at(-1).result).toMatchObject({ ISDEFENDANT_WITH_RISK_count: null, ISDEFENDANT_WITH_RISK_value: null })
  const page = await get(`/batches/${id}`)
  expect(page.match(/no risk found/g)).toHaveLength(2)

  const form = new URLSearchParams({ document: cpf(summaries.length - 1) })
  const found = await t.call('/person', { token, method: 'POST', body: form })
  expect(await get(found.headers.get('location')!)).not.toContain('no risk found')
  const env = { ...environmentOf(t.sandbox, t.databaseUrl, t.home), LOG_LEVEL: 'silent' }
  const file = join(t.home, 'held.txt')
  expect(await call(['person', cpf(1), '--out', file, '--language', 'en'], env)).toMatchObject({ exitCode: 0 })
  const held = await readFile(file, 'utf8')
  expect(held).toContain('Labour claims: – (–)')
  expect(held).not.toContain('Criminal')
  expect(held).not.toMatch(/https?:|Store:|Folder:/)
  expect(held).not.toContain(t.home)
  expect(await call(['person', cpf(4), '--out', file, '--language', 'en'], env)).toMatchObject({ exitCode: 0 })
  expect(await readFile(file, 'utf8')).toContain('Labour claims: – (R$10.00)')
  const row = await call(['batch', String(id), '--line', '3'], env)
  expect(row.stdout).toMatch(/RISK_WORKER +– +– +at risk/)
  expect(row.stdout).not.toContain('RISK_CRIMINAL')
})

test('a total that no document has a figure for is missing, and so is the place in a ranking that has no amount', async () => {
  const token = await t.operator('admin')
  const [without, lowest] = cpfs(2, 100) as [string, string]
  t.sandbox.plantChange(without, { ...calm, missing: ['RISK_WORKER', 'ISDEFENDANT_WITH_RISK', 'EXECUTION_WITH_RISK'] })
  t.sandbox.plantChange(lowest, {
    figures: { ...calm.figures, EXECUTION_WITH_RISK: { count: 1, cents: 5_00 } },
    missing: ['RISK_WORKER'],
  })
  const batch = await t.submit(csvOf([without, lowest]))
  await t.finished(batch)
  const get = async (path: string) => (await t.call(`/batches/${batch}/${path}`, { token })).text()

  const totals = await get('risk/totals')
  expect(cellsAfter(totals, '<a[^>]*>Labour claims</a>')).toEqual(['–', '–', '–'])
  expect(cellsAfter(totals, '<a[^>]*>Criminal</a>')).toEqual(['0', '0', 'R$0.00'])
  const plot = JSON.parse(/data-plot="([^"]*)"/.exec(totals)![1]!.replaceAll('&quot;', '"'))
  expect(plot.values[plot.labels.indexOf('Labour claims')]).toBeNull()
  const places = (await get('risk/ranking.csv'))
    .trimEnd()
    .split('\r\n')
    .slice(1)
    .map((line) => line.split(';').slice(5))
  expect(places).toEqual([
    ['5,00', '0', '0,00', '1', '1', '5,00', '1'],
    ['', '', '', '1', '', '', '1'],
  ])
  expect(await get('risk/top')).toContain('<strong>–</strong>')
})

const worker = (count: number) => ({ ...calm.figures, RISK_WORKER: { count, cents: count * 100_00 } })

test('two batches are compared figure by figure, and one that is missing in either is no change', async () => {
  await using t = await setupWeb({ config: { freshness: { analysis: '1s' }, purchases: { adopt: false } } })
  const token = await t.operator('analyst')
  for (const code of cpfs(2)) t.sandbox.plantChange(code, { figures: worker(2) })
  const earlier = await t.submit(csvOf(cpfs(2)))
  await t.finished(earlier)
  t.sandbox.plantChange(cpf(0), { missing: ['RISK_WORKER'] })
  t.sandbox.plantChange(cpf(1), { entries: { RISK_WORKER: { vltotalProcess: null, totalProcess: 5 } } })
  await t.sql`update vigia.lookup set sending_at = now() - interval '2 days', finished_at = now() - interval '2 days', adopted_at = null`
  const later = await t.submit(`cpf\n${cpfs(2).join('\n')}\n`, { freshSince: new Date() })
  await t.finished(later)
  const csv = await (await t.call(`/batches/${later}/compare/${earlier}.csv`, { token })).text()
  expect(
    csv
      .trimEnd()
      .split('\r\n')
      .slice(1)
      .map((line) => line.split(';').slice(4)),
  ).toEqual([['RISK_WORKER_count', 'worse', '2', '5']])
})

type Summary = { name: string; planted: PlantedRisk; count: string; value: string }

/** The text of the cells that follow a heading in a table. */
const cellsAfter = (page: string, heading: string): string[] => {
  const [, row = ''] = new RegExp(`<th scope="row">${heading}</th>(.*?)</tr>`, 's').exec(page) ?? []
  return [...row.matchAll(/<td[^>]*>(.*?)<\/td>/gs)].map(([, cell]) => cell!.replace(/<[^>]*>/g, '').trim())
}
