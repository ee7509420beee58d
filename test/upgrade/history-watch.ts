import { people } from './documents.ts'
import type { Teller } from './history.ts'

export type Keys = Record<'ana' | 'bruno' | 'carla' | 'daniel', string>

/** Nights of radars: a baseline, changes, a rejected list that was too short; usage, purge, and one person erased. */
export const makeNights = async ({ old }: Teller): Promise<void> => {
  const [first, second] = people(60, 2)
  for (const code of people(64, 3)) await old.controlSandbox('radar', { code, name: `Radar ${code.slice(-4)}` })
  await old.vigia('sweep', 'radars')
  await old.controlSandbox('plant', {
    document: first,
    processes: 41,
    figures: { RISK_LABOR: { count: 3, cents: 1_234_567 } },
  })
  await old.controlSandbox('plant', { document: second, processes: 0 })
  await old.controlSandbox('radar', { code: people(67, 1)[0]!, name: 'Nova' })
  await old.controlSandbox('advance', { days: 40 })
  await old.vigia('sweep', 'radars')
  await old.controlSandbox('scenario', { radars: { limit: 1 } })
  await old.vigia('sweep', 'radars')
  await old.controlSandbox('scenario', { radars: {} })
  for (const name of ['usage', 'unfinished', 'purge']) await old.vigia('sweep', name)
  await old.vigia('purge', '--document', people(70, 1)[0]!)
}

/** The users of the page. Their tokens are shown once, and open nothing but this fixture. */
export const makeOperators = async ({ old }: Teller): Promise<Keys> => {
  const add = async (name: string, role: string) =>
    String((await old.vigia('operator', 'add', name, '--role', role)).token)
  const keys = {
    ana: await add('ana', 'ops'),
    bruno: await add('bruno', 'analyst'),
    carla: await add('carla', 'admin'),
  }
  const daniel = await add('daniel', 'ops')
  await old.vigia('operator', 'remove', 'daniel')
  return { ...keys, daniel }
}
