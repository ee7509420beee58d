import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { until } from '../support/until.ts'
import { listOf, people } from './documents.ts'
import { imported, lasting, reached, submit, type Teller } from './history.ts'

/** Calls whose answer never arrives, whether their work was done or not. */
export const lost = {
  bought: people(200, 1)[0]!,
  neverArrived: people(201, 1)[0]!,
  radar: people(202, 1)[0]!,
  licence: people(203, 1)[0]!,
}

const silence = [
  { operation: 'generate', document: lost.bought, fault: 'hang' },
  { operation: 'generate', document: lost.neverArrived, fault: 'hangBefore' },
  { operation: ['radarAdd', 'cnhCreate'], fault: 'hang' },
  { operation: ['processCount', 'scr'], fault: 'hangBefore' },
]

const denied = '{"message":"User / Organization - Access Denied","error":"ErrorForbiddenException"}'

/** What is open when the power fails: files in every open state, calls in flight, claimed jobs, a half-finished sweep. */
export const makeClaimed = async (teller: Teller): Promise<void> => {
  const { old } = teller
  const request = { ...lasting.request, timeout: '90s' }
  await old.settings({ ...lasting, request, budget: { confirmAbove: 5 }, concurrency: { worker: 8, fleet: 16 } })
  await old.controlSandbox('scenario', { readyAfterMs: 1_000_000_000_000 })
  const worker = old.start('worker')
  await makeWaiting(teller)
  await notifyLanesHeld(teller)
  await makeUnconfirmed(teller)
  await old.controlSandbox('scenario', { faults: silence })
  await makeLostCalls(teller)
  const sweep = old.start('sweep', 'radars')
  await sweepAsks(teller)
  await Promise.all([sweep.kill(), worker.kill()])
  await makeUntaken(teller)
}

/** Bought, and not ready yet; also of a batch that was cancelled meanwhile. */
const makeWaiting = async (teller: Teller): Promise<void> => {
  const waiting = await submit(teller, 'esperando.csv', listOf(people(110, 5)))
  const cancelled = await submit(teller, 'cancelada.csv', listOf([...people(113, 4)]))
  await reached(teller, waiting, 'waiting', 5)
  await reached(teller, cancelled, 'waiting', 2)
  await teller.old.vigia('cancel', String(cancelled))
}

/** Lanes held by an operator, an exhausted plan and a refused access, each with a waiting file; and a paused file. */
const notifyLanesHeld = async (teller: Teller): Promise<void> => {
  const { old } = teller
  await old.controlSandbox('scenario', {
    faults: [{ operation: 'processCount', fault: 'reply', status: 403, body: denied }],
  })
  await old.vigia('lane', 'hold', '7002/cnh', '--reason', 'contrato em revisão')
  await old.vigia('lane', 'hold', '7001/processes')
  const ids = [
    await submit(teller, 'cnh-presa.csv', listOf(people(120, 4)), '--kind', 'cnh', '--organization', '7002'),
    await submit(teller, 'filial.csv', listOf(people(125, 4)), '--organization', '7002'),
    await submit(teller, 'filial-acoes.csv', listOf(people(130, 3)), '--organization', '7002', '--kind', 'processes'),
    await submit(teller, 'pausada.csv', listOf(people(135, 4)), '--kind', 'processes'),
  ]
  await imported(teller, ids)
  await old.vigia('pause', String(ids[3]))
  await old.vigia('lane', 'resume', '7001/processes')
}

const makeUnconfirmed = async (teller: Teller): Promise<void> => {
  const ids = [
    await submit(teller, 'por-confirmar.csv', listOf(people(140, 8))),
    await submit(teller, 'descartada.csv', listOf(people(150, 7))),
  ]
  await imported(teller, ids)
}

const makeLostCalls = async (teller: Teller): Promise<void> => {
  const analyses = await submit(teller, 'perdidas.csv', listOf([lost.bought, lost.neverArrived, people(204, 1)[0]!]))
  const radars = await submit(teller, 'radar-perdido.csv', listOf([lost.radar]), '--kind', 'radar')
  const licences = await submit(teller, 'cnh-perdida.csv', listOf([lost.licence]), '--kind', 'cnh')
  const credit = await submit(teller, 'credito-em-fila.csv', listOf(people(160, 2)), '--kind', 'scr')
  await reached(teller, analyses, 'sending', 2)
  await reached(teller, radars, 'sending', 1)
  await reached(teller, licences, 'sending', 1)
  await imported(teller, [credit])
  await until(async () => {
    const sold = await readFile(teller.old.journal, 'utf8')
    return [lost.bought, lost.radar, lost.licence].every(
      (document) => sold.includes(`"${document}","at"`) || sold.includes(`"code":"${document}"`),
    )
  })
}

const sweepAsks = ({ sql }: Teller) =>
  until(async () => {
    const asked = await sql`
      select from vigia.lookup l
        join vigia.sweep_organization o on o.processes_batch_id = l.batch_id
        join vigia.sweep s on s.id = o.sweep_id
       where s.state = 'running' and l.job_id is not null`
    return asked.length > 0
  }, 40_000)

/** With every worker gone: a file that was not read, one that ended and has no report yet, one still in the inbox. */
const makeUntaken = async (teller: Teller): Promise<void> => {
  const { old, sql } = teller
  await submit(teller, 'importando.csv', listOf(people(170, 5)))
  const [dropped] = await sql<{ id: bigint }[]>`select id from vigia.batch where name = 'descartada'`
  await old.vigia('cancel', String(dropped!.id))
  const inbox = join(old.home, 'inbox/scr')
  await mkdir(inbox, { recursive: true })
  await writeFile(join(inbox, 'da-caixa.csv'), listOf(people(180, 3)))
}
