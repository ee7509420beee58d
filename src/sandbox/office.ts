import { closeSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs'
import { enter, type Happening, openBooks } from './books.ts'
import { type Ledger, openLedger } from './ledger.ts'
import { buyForOthers } from './operations/analyses.ts'
import type { Backroom } from './registry.ts'
import type { ScenarioPatch } from './scenario.ts'
import { openStage, type Stage } from './stage.ts'
import { issueToken } from './tokens.ts'

export type OfficeOptions = {
  seed?: number
  scenario?: ScenarioPatch
  journal?: string
  readyAfterMs?: number
  now?: () => number
  ledger?: 'full' | 'summary'
}

export type OpenOffice = Office & { readonly journal: Journal }

/** The registry without its socket: books, ledger and stage, as the journal left them. */
export const openOffice = (options: OfficeOptions): OpenOffice => {
  const { seed = 1, now = Date.now, readyAfterMs = 1500, scenario = {}, ledger = 'full' } = options
  const stage = openStage(scenario, seed, now)
  const books = openBooks()
  const journal = options.journal === undefined ? noJournal : openJournal(options.journal)

  const apply = (happening: Happening): void => {
    if (happening.type === 'scenario') stage.change(happening.patch, happening.at)
    else enter(books, happening)
  }
  const desk: OpenOffice = {
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

/** The registry with what stands between it and its callers. */
export type Office = Backroom & { readonly ledger: Ledger; readonly stage: Stage }

type Journal = { happenings: Happening[]; append(happening: Happening): void; close(): void }

/**
 * An append-only file of everything that happened, one JSON line each, written before the answer leaves.
 * A process that is killed may tear its last line: the call it belongs to was never answered, and it is dropped.
 */
const openJournal = (path: string): Journal => {
  const file = openSync(path, 'a+')
  const bytes = readFileSync(file)
  const whole = bytes.lastIndexOf(10) + 1
  if (whole < bytes.length) ftruncateSync(file, whole)
  return {
    happenings: bytes
      .toString('utf8', 0, whole)
      .split('\n')
      .slice(0, -1)
      .map((line, i) => parseLine(line, i, path)),
    append: (happening) => void writeSync(file, `${JSON.stringify(happening)}\n`),
    close: () => closeSync(file),
  }
}

/** The journal of a sandbox that forgets. */
const noJournal: Journal = { happenings: [], append: () => {}, close: () => {} }

const parseLine = (line: string, index: number, path: string): Happening => {
  try {
    return JSON.parse(line)
  } catch {
    throw new Error(`Line ${index + 1} of the sandbox journal ${path} is no JSON; move the file away to start afresh`)
  }
}
