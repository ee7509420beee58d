import { cpf } from '../../support/documents.ts'
import type { Incident } from '../plan/plan.ts'
import { releaseLocks } from '../store/handle.ts'
import { copyTables, emptyTables } from '../store/tables.ts'
import type { History } from './history.ts'
import type { Operators } from './operators.ts'

/** Lets everything go wrong that the plan has, at its moment. */
export const scheduleIncidents = (history: History, operators: Operators): void => {
  const { plan, schedule, startedAt, world } = history
  for (const incident of plan.incidents) {
    const at = startedAt + incident.at
    if (incident.is === 'database_rewinds') scheduleRewind(history, at, incident.ms)
    else if (incident.is === 'batch' || incident.is === 'lane' || incident.is === 'settle' || incident.is === 'erase') {
      schedule.at(at, operators.actor, () => operators.act(incident))
    } else schedule.at(at, world, () => happen(history, incident))
  }
}

const happen = (history: History, incident: Incident) => {
  const { workers, registry, schedule, witness, world, database } = history
  const { now } = schedule
  switch (incident.is) {
    case 'crash':
      workers.crash(incident.worker)
      schedule.at(now + incident.afterMs, world, () => workers.start(incident.worker))
      return
    case 'pause':
    case 'suspend':
      return workers.pause(incident.worker, incident.ms, incident.is === 'suspend')
    case 'clock':
      return workers.clockSteps(incident.worker, incident.ms)
    case 'outage':
      witness.note(`the registry is out of service for ${incident.ms / 1_000} s (${incident.how})`)
      return registry.outageUntil(now + incident.ms, incident.how)
    case 'plan_ends':
      witness.note(`the plan allows no purchase for ${incident.ms / 1_000} s (${incident.how})`)
      return registry.planEndsUntil(now + incident.ms, incident.how)
    case 'plan_refuses_answers':
      witness.note(`the plan refuses answers for ${incident.ms / 1_000} s`)
      return registry.refusesAnswersUntil(now + incident.ms)
    case 'list_away':
      witness.note(`the purchase list cannot be read for ${incident.ms / 1_000} s (${incident.how})`)
      return registry.listAwayUntil(now + incident.ms, incident.how)
    case 'token_expires':
      witness.note('the token expires')
      return registry.expireToken()
    case 'token_dies':
      witness.note(`no token is accepted for ${incident.ms / 1_000} s`)
      return registry.tokenDiesUntil(now + incident.ms)
    case 'purchase_deleted':
      witness.note(`purchases of document ${incident.document} are deleted at the registry`)
      return registry.remove(cpf(incident.document))
    case 'database_restarts':
      witness.note('the database restarts')
      return restart(history)
    case 'database_clock':
      witness.note(`the database's clock steps ${incident.ms / 1_000} s`)
      database.clockMs += incident.ms
      return
    case 'radars_away':
      witness.note(`the list of radars is wrong for ${incident.ms / 1_000} s (${incident.how})`)
      return registry.radarsAwayUntil(now + incident.ms, incident.how)
    case 'sweep_again':
      witness.note(`each job of a sweep runs twice for ${incident.ms / 1_000} s`)
      return history.queues.doubleUntil(now + incident.ms)
    case 'statements_lost':
      witness.note(`connections to the database break for ${incident.ms / 1_000} s`)
      database.unreachableUntil = now + incident.ms
  }
}

let starts = 1

const restart = ({ model, database, schedule, queues }: History): void => {
  model.start = String(++starts)
  model.tables.claims = new Map()
  model.forget()
  releaseLocks(model)
  database.unreachableUntil = schedule.now + 300
  queues.supervise()
}

/** The database fails over to a standby that lacks the last commits, or is restored from a copy. */
const scheduleRewind = (history: History, at: number, ms: number): void => {
  const { schedule, world, model, witness, database } = history
  let copy = emptyTables()
  schedule.at(at - ms, world, () => {
    copy = copyTables(model.tables)
  })
  schedule.at(at, world, () => {
    // Nothing remembers that a database was ever used that loses its first seconds: docs/limits.md.
    if (copy.fleet.server === null) return
    witness.note(`the database fails over to a copy that is ${ms / 1_000} s old`)
    Object.assign(model.tables, copyTables(copy))
    const [cluster, timeline] = model.identity.split('/')
    model.identity = `${cluster}/${Number(timeline) + 1}`
    database.rewound = true
    witness.rewound(schedule.now - ms)
    restart(history)
  })
}
