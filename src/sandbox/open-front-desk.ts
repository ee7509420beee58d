import { enter, type Happening, openBooks } from './books.ts'
import type { FrontDesk } from './front-desk.ts'
import { type Journal, noJournal, openJournal } from './journal.ts'
import { openLedger } from './ledger.ts'
import { buyForOthers } from './others.ts'
import type { ScenarioPatch } from './scenario.ts'
import { openStage } from './stage.ts'
import { issueToken } from './tokens.ts'

export type FrontDeskOptions = {
  seed?: number
  scenario?: ScenarioPatch
  journal?: string
  readyAfterMs?: number
  now?: () => number
  ledger?: 'full' | 'summary'
}

export type OpenFrontDesk = FrontDesk & { readonly journal: Journal }

/** The registry without its socket: books, ledger and stage, as the journal left them. */
export function openFrontDesk(options: FrontDeskOptions): OpenFrontDesk {
  const { seed = 1, now = Date.now, readyAfterMs = 1500, scenario = {}, ledger = 'full' } = options
  const stage = openStage(scenario, seed, now)
  const books = openBooks()
  const journal = options.journal === undefined ? noJournal : openJournal(options.journal)

  const apply = (happening: Happening): void => {
    if (happening.type === 'scenario') stage.change(happening.patch, happening.at)
    else enter(books, happening)
  }
  const desk: OpenFrontDesk = {
    seed,
    now,
    books,
    journal,
    stage,
    files: { url: 'https://files.sandbox.invalid' },
    ledger: openLedger(ledger),
    get scenario() {
      return stage.scenario
    },
    get readyAfterMs() {
      return stage.scenario.readyAfterMs ?? readyAfterMs
    },
    record(happening) {
      journal.append(happening)
      apply(happening)
    },
  }
  for (const happening of journal.happenings.splice(0)) apply(happening)
  if (books.tokens.size === 0) issueToken(desk)
  buyForOthers(desk)
  return desk
}
