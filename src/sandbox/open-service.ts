import { enter, type Happening, openBooks } from './books.ts'
import { openFaults } from './faults.ts'
import { type Journal, noJournal, openJournal } from './journal.ts'
import { openLedger } from './ledger.ts'
import { calmScenario, changeScenario, type ScenarioPatch } from './scenario.ts'
import type { Service } from './serve.ts'
import { issueToken } from './tokens.ts'

export type ServiceOptions = {
  seed?: number
  scenario?: ScenarioPatch
  journal?: string
  readyAfterMs?: number
  now?: () => number
  ledger?: 'full' | 'summary'
}

export type OpenService = Service & { readonly journal: Journal }

/** The registry without its socket: books, ledger, scenario and faults, as the journal left them. */
export function openService(options: ServiceOptions): OpenService {
  const { seed = 1, now = Date.now, readyAfterMs = 1500 } = options
  const journal = options.journal === undefined ? noJournal : openJournal(options.journal)
  const books = openBooks()
  let scenario = changeScenario(calmScenario, options.scenario ?? {})
  let faults = openFaults(scenario.faults, seed)
  let outageSince = now()

  const direct = ({ patch, at }: Extract<Happening, { type: 'scenario' }>): void => {
    scenario = changeScenario(scenario, patch)
    if (patch.faults) faults = openFaults(scenario.faults, seed)
    if (patch.outage) outageSince = at
  }

  const apply = (happening: Happening): void => {
    if (happening.type === 'scenario') direct(happening)
    else enter(books, happening)
  }

  const service: OpenService = {
    seed,
    now,
    books,
    journal,
    ledger: openLedger(options.ledger ?? 'full'),
    get scenario() {
      return scenario
    },
    get faults() {
      return faults
    },
    get readyAfterMs() {
      return scenario.readyAfterMs ?? readyAfterMs
    },
    get isOut() {
      const { outage } = scenario
      return outage !== null && (outage.forMs === null || now() < outageSince + outage.forMs)
    },
    record(happening) {
      journal.append(happening)
      apply(happening)
    },
  }
  for (const happening of journal.happenings.splice(0)) apply(happening)
  if (books.tokens.size === 0) issueToken(service)
  return service
}
