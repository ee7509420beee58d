import { readFile } from 'node:fs/promises'
import { until } from '../support/until.ts'
import { people } from './documents.ts'
import { calm, lasting, type Teller } from './history.ts'

/** How the old Vigia itself would have continued from where the fixture stops. The test does the same with today's. */
export const makeEnd = async (teller: Teller): Promise<void> => {
  const { old, sql } = teller
  await old.settings(lasting)
  await old.controlSandbox('scenario', calm)
  const idOf = async (name: string) => String((await sql`select id from vigia.batch where name = ${name}`)[0]!.id)
  const worker = old.start('worker')
  await old.vigia('lane', 'resume', '7002/cnh')
  await old.vigia('lane', 'resume', '7002/analysis')
  await old.vigia('lane', 'resume', '7002/processes')
  await old.vigia('resume', await idOf('pausada'))
  await old.vigia('confirm', await idOf('por-confirmar'))
  const parked = await idOf('em-duvida')
  await old.vigia('resolve', parked, '--line', '2', '--adopt', await boughtId(old.journal, people(100, 1)[0]!))
  await old.vigia('resolve', parked, '--line', '3', '--drop')
  await old.vigia('resolve', parked, '--line', '4', '--resend')
  await until(async () => {
    const open = await sql`select from vigia.batch where finished_at is null and state <> 'rejected'`
    const unwritten =
      await sql`select from vigia.batch where file_id is not null and state <> 'rejected' and exported_at is null`
    const sweeps = await sql`select from vigia.sweep where state = 'running'`
    return open.length + unwritten.length + sweeps.length === 0
  }, 240_000)
  await worker.stop()
}

/** Every purchase in the sandbox's journal, as `organization kind document`, in the order in which they were made. */
export const boughtBy = async (journal: string): Promise<string[]> =>
  (await happenings(journal)).flatMap(({ analysis, cnh }) => {
    if (analysis) return [`${analysis.organizationId} analysis ${analysis.document}`]
    return cnh ? [`${cnh.organizationId} cnh ${cnh.document}`] : []
  })

/** The id of the first analysis of a document in the sandbox. */
export const boughtId = async (journal: string, document: string): Promise<string> =>
  String((await happenings(journal)).find(({ analysis }) => analysis?.document === document)!.analysis!.id)

type Bought = { id: number | string; organizationId: number; document: string }

const happenings = async (journal: string): Promise<{ analysis?: Bought; cnh?: Bought }[]> =>
  (await readFile(journal, 'utf8'))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
