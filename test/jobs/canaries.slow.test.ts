import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readableKey } from '../../src/domain/readable-pairs.ts'
import { eraseDocument } from '../../src/monitoring/erase-document.ts'
import type { OperationName } from '../../src/sandbox/operations.ts'
import { readBatch } from '../../src/store/batches/batches.ts'
import { call } from '../cli/call.ts'
import { sweepByQueue, sweepRadars } from '../monitoring/sweep.ts'
import { tracesOf } from '../monitoring/traces.ts'
import { cpf } from '../support/documents.ts'
import { sheetsIn } from '../support/read-report.ts'
import { environmentOf } from '../support/setup.ts'
import { until } from '../support/until.ts'
import { setupWeb, type WebSetup } from '../web/setup.ts'
import { type Canary, canariesOf, ruleOf } from './canaries.ts'

const person = cpf(7)
const lawsuit = '0058967-77.2016.8.19.0000'
const planted: OperationName[] = [
  ...(['cnhRead', 'generate', 'consult', 'activities', 'processCount', 'radarAdd', 'radarList', 'inactivate'] as const),
]
const canaries = canariesOf(planted)
const scr = { waits: 'CANARY_SCR_A', refused: 'CANARY_SCR_B', score: 'CANARY_SCR_C' }
const scrRules = [
  {
    operation: 'scr' as const,
    fault: 'reply' as const,
    times: 1,
    body: JSON.stringify({ status: 'PROCESSING', message: scr.waits }),
  },
  {
    operation: 'scr' as const,
    fault: 'reply' as const,
    times: 1,
    body: JSON.stringify({ type: 'ERROR', message: scr.refused }),
  },
  { operation: 'scr' as const, fault: 'drift' as const, drift: 'values' as const, values: { score: scr.score } },
]

test('every field of every answer is shown, and is gone once the person is erased', async () => {
  await using t = await setupWeb({
    sandbox: {
      scenario: {
        faults: [...scrRules, ...planted.map((name) => ruleOf(canaries.filter(({ operation }) => operation === name)))],
        world: { others: [{ documents: [person], ageMs: 90 * 86_400_000 }] },
      },
    },
  })
  const batches: bigint[] = []
  for (const kind of ['analysis', 'cnh', 'scr', 'processes', 'radar', 'inactivation'] as const) {
    const file = kind === 'inactivation' ? `numero_processo\n${lawsuit}\n` : `nome;documento\nAna;${person}\n`
    const batch = await t.submit(file, { kind, format: 'xlsx' })
    await t.finished(batch)
    batches.push(batch)
  }
  await sweepRadars(t)
  await sweepByQueue(t, 'usage')

  const notIn = (text: string, some = canaries) =>
    some.filter(({ shown }) => !spellings(shown, t.settings.timezone).some((each) => text.includes(each)))
  const json = await shownAsJson(t, batches)
  expect(notIn(json)).toEqual([])
  for (const text of Object.values(scr)) expect(json).toContain(text)
  // Why a list came as it did is for whoever reads its figures.
  const read = canaries.filter(({ operation, path }) => `${operation} ${path}` !== 'activities reason')
  expect(notIn(await shownOnPages(t, batches), read)).toEqual([])
  const workbooks = await shownInWorkbooks(t)
  expect(notIn(workbooks, canaries.filter(isInWorkbook))).toEqual([])
  expect(workbooks).toContain(scr.score)

  const theirs = canaries.filter((each) => !isOfNobody(each) && /\d{6}|CANARY/.test(each.shown))
  // Amounts are stored in cents.
  const texts = [...theirs.flatMap(({ shown }) => [shown, shown.replace('.', '')]), ...Object.values(scr), person]
  expect((await tracesOf(t.sql, t.home, texts)).length).toBeGreaterThan(20)
  const { batches: touched } = await eraseDocument(t.tools, person, 'test')
  for (const id of touched) await until(async () => (await readBatch(t.sql, id))?.exportedAt)
  expect(await tracesOf(t.sql, t.home, texts)).toEqual([])
  const left = await shownInWorkbooks(t)
  expect(texts.filter((text) => left.includes(text))).toEqual([])
})

/** What a person reads in a report; the page and `--json` have the rest. */
const isInWorkbook = ({ operation, path }: Canary): boolean =>
  /^generate .*documentInfo|^consult .*(importantTerms|statusProtest|summary)|^cnhRead (data|status)|^processCount total/.test(
    `${operation} ${path}`,
  )

/** A lawsuit is looked up by its number; plans and their consumption are the organization's, as charges are. */
const isOfNobody = ({ operation, path }: Canary): boolean =>
  operation === 'inactivate' || /^activities (reason|result\.(typePlan|consume))$/.test(`${operation} ${path}`)

/** A moment may be shown as it was sent or as one; the name of a field as a text. */
const spellings = (shown: string, timeZone: string): string[] => {
  if (!/^17\d{11}$/.test(shown)) return [shown, sentenceOf(shown)]
  const moment = new Date(Number(shown))
  const local = moment.toLocaleString('pt-BR', { timeZone, dateStyle: 'short', timeStyle: 'short' })
  return [shown, moment.toISOString().slice(0, 16), local.replace(', ', ' ')]
}

const sentenceOf = (key: string): string => readableKey(key).replace(/^./, (first) => first.toUpperCase())

/** Everything about the person that a command prints. */
const shownAsJson = async (t: WebSetup, batches: bigint[]): Promise<string> => {
  const env = environmentOf(t.sandbox, t.databaseUrl, t.home)
  const asked = [
    ...batches.map((id) => ['batch', String(id), '--line', '2']),
    ['person', '-', '--unmasked'],
    ['radars', 'list', '--unmasked'],
    ['usage', '--unmasked'],
    ['plans'],
  ]
  const texts: string[] = []
  for (const args of asked) {
    const { exitCode, stdout, stderr } = await call([...args, '--json'], env, undefined, person)
    expect(exitCode, stderr).toBe(0)
    texts.push(stdout)
  }
  return texts.join('\n')
}

/** The pages of its rows, of the person, of the radar and of the system, unmasked; figures without separators. */
const shownOnPages = async (t: WebSetup, batches: bigint[]): Promise<string> => {
  const token = await t.operator('admin')
  const read = async (path: string, method = 'GET') => (await t.call(path, { token, method })).text()
  const body = new URLSearchParams({ document: person })
  const address = (await t.call('/person', { token, method: 'POST', body })).headers.get('location')
  const about = await read(`${address}/reveal`, 'POST')
  const pages = [about, await read(/\/radars\/[^"]+/.exec(about)![0]), await read('/system')]
  for (const id of batches) pages.push(await read(`/batches/${id}/rows/2/reveal`, 'POST'))
  return pages.join('\n').replace(/(\d),(?=\d{3})/g, '$1')
}

/** Every cell of every report. */
const shownInWorkbooks = async (t: WebSetup): Promise<string> => {
  const folder = join(t.home, 'outbox')
  const files = (await readdir(folder, { recursive: true })).filter((path) => path.endsWith('.xlsx'))
  const cells: string[] = []
  for (const file of files) {
    const sheets = Object.values(await sheetsIn(join(folder, file)))
    cells.push(...sheets.flat().flatMap((row) => row.cells))
  }
  return cells.join('\n')
}
