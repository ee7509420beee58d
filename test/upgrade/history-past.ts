import { clients, listOf, people, piped } from './documents.ts'
import { imported, lasting, reached, settled, submit, type Teller } from './history.ts'

const processes = ['0058967-77.2016.8.19.0000', '0000001-78.2020.8.26.0100', '12-34', '0000001-00.2020.8.26.0100']

/** What has ended: a file of every kind, and rows in every final state. */
export const makePast = async (teller: Teller): Promise<void> => {
  const { old } = teller
  await old.settings(lasting)
  const worker = old.start('worker')
  const ids = [
    await submit(teller, 'clientes.csv', clients(people(0, 8)), '--encoding', 'same'),
    await submit(teller, 'com-barras.csv', piped(people(6, 6))),
    await submit(teller, 'motoristas.csv', listOf(people(20, 24)), '--kind', 'cnh'),
    await submit(teller, 'credito.csv', listOf(people(50, 4)), '--kind', 'scr'),
    await submit(teller, 'acoes.csv', listOf(people(55, 4)), '--kind', 'processes'),
    await submit(teller, 'vigiados.csv', listOf(people(60, 4)), '--kind', 'radar'),
    await submit(teller, 'encerrados.csv', listOf(processes, 'numero_processo'), '--kind', 'inactivation'),
    await submit(teller, 'limitado.csv', listOf(people(70, 5)), '--max-spend', '2'),
    await submit(teller, 'telefones.csv', listOf(['11 98765-4321', '11 91234-5678', '21 99999-0000'])),
  ]
  await settled(teller, ids)
  await worker.stop()
  await makeIncidents(teller)
  await toParkedView(teller)
  await makeSuperseded(teller)
}

/** Rows that ended without an answer: the registry refused, failed, was never ready, or its plan and access were gone. */
const makeIncidents = async (teller: Teller): Promise<void> => {
  const { old } = teller
  await old.settings({ ...lasting, polling: { ...lasting.polling, deadline: '6s' } })
  const [refused, broken, stuck, ...fine] = people(80, 6)
  await old.controlSandbox('scenario', {
    plans: { 32: { units: 0 } },
    faults: [
      {
        operation: 'generate',
        document: refused,
        fault: 'reply',
        status: 400,
        body: '{"status":"INVALID_DOCUMENT","message":"Documento inválido"}',
      },
      { operation: 'generate', document: stuck, fault: 'stuckForever' },
      { operation: 'processCount', document: broken, fault: 'serverError' },
    ],
  })
  const worker = old.start('worker')
  const ends = await submit(teller, 'desfechos.csv', listOf([refused!, stuck!, ...fine]))
  const fails = await submit(teller, 'acoes-com-falha.csv', listOf([broken!, ...fine]), '--kind', 'processes')
  const plan = await submit(teller, 'sem-plano.csv', listOf(people(90, 3)), '--organization', '7002')
  await settled(teller, [ends, fails, plan])
  await old.controlSandbox('scenario', { deniedOrganizations: [7002], faults: [] })
  const denied = await submit(
    teller,
    'sem-acesso.csv',
    listOf(people(93, 2)),
    '--organization',
    '7002',
    '--kind',
    'processes',
  )
  await settled(teller, [denied])
  await worker.stop()
  await old.controlSandbox('scenario', { deniedOrganizations: [] })
}

/** Unknown outcomes that the registry's list could not resolve: two purchases were made, one was not. */
const toParkedView = async (teller: Teller): Promise<void> => {
  const { old } = teller
  await old.settings(lasting)
  const [adopted, dropped, resent, fine] = people(100, 4)
  await old.controlSandbox('scenario', {
    activities: { limit: 1, keep: 'oldest' },
    faults: [
      { operation: 'generate', document: adopted, fault: 'closedAfter' },
      { operation: 'generate', document: dropped, fault: 'closedAfter' },
      { operation: 'generate', document: resent, fault: 'closedBefore' },
    ],
  })
  const worker = old.start('worker')
  const batch = await submit(teller, 'em-duvida.csv', listOf([adopted!, dropped!, resent!, fine!]))
  await reached(teller, batch, 'unknown_outcome', 3)
  await settled(teller, [batch])
  await worker.stop()
  await old.controlSandbox('scenario', { activities: {}, faults: [] })
}

/** Answers that were no longer fresh, and were bought again: the first purchases belong to look-ups that are superseded. */
const makeSuperseded = async (teller: Teller): Promise<void> => {
  const { old } = teller
  await old.settings({ ...lasting, freshness: { ...lasting.freshness, analysis: '1ms', cnh: '1ms' } })
  const worker = old.start('worker')
  const ids = [
    await submit(teller, 'de-novo.csv', listOf(people(0, 3))),
    await submit(teller, 'motoristas-de-novo.csv', listOf(people(20, 3)), '--kind', 'cnh'),
  ]
  await imported(teller, ids)
  await settled(teller, ids)
  await worker.stop()
  await old.settings(lasting)
}
