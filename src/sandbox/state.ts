import { closeSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs'
import { type FaultState, openFaultState } from './fault-state.ts'
import { type Ledger, openLedger } from './ledger.ts'
import { buyForOthers } from './operations/analyses.ts'
import { enter, type Happening, openRecords } from './records.ts'
import type { SandboxInternals } from './registry.ts'
import type { ScenarioPatch } from './scenario.ts'
import { issueToken } from './tokens.ts'

export type SandboxStateOptions = {
  seed?: number
  scenario?: ScenarioPatch
  journal?: string
  readyAfterMs?: number
  now?: () => number
  ledger?: 'full' | 'summary'
}

export type OpenSandboxState = SandboxState & { readonly journal: Journal }

/** The registry without its socket: records, ledger and faults, as the journal left them. */
export const openState = (options: SandboxStateOptions): OpenSandboxState => {
  const { seed = 1, now = Date.now, readyAfterMs = 1500, scenario = {}, ledger = 'full' } = options
  const faultState = openFaultState(scenario, seed, now)
  const records = openRecords()
  const journal = options.journal === undefined ? noJournal : openJournal(options.journal)

  const apply = (happening: Happening): void => {
    if (happening.type === 'scenario') faultState.change(happening.patch, happening.at)
    else enter(records, happening)
  }
  const state: OpenSandboxState = {
    seed,
    now,
    records,
    journal,
    faultState,
    files: { url: 'https://files.sandbox.invalid' },
    ledger: openLedger(ledger),
    get scenario() {
      return faultState.scenario
    },
    get readyAfterMs() {
      return faultState.scenario.readyAfterMs ?? readyAfterMs
    },
    record(happening) {
      journal.append(happening)
      apply(happening)
    },
  }
  for (const happening of journal.happenings.splice(0)) apply(happening)
  if (records.tokens.size === 0) issueToken(state)
  buyForOthers(state)
  return state
}

/** The registry with its ledger and its faults. */
export type SandboxState = SandboxInternals & { readonly ledger: Ledger; readonly faultState: FaultState }

type Journal = { happenings: Happening[]; append(happening: Happening): void; close(): void }

/**
 * An append-only file of everything that happened, one JSON line each, written before the answer is sent.
 * If the process is killed, its last line may be incomplete. That call was never answered, so the line is dropped.
 */
const openJournal = (path: string): Journal => {
  const file = openSync(path, 'a+')
  const bytes = readFileSync(file)
  const end = bytes.lastIndexOf(10) + 1
  if (end < bytes.length) ftruncateSync(file, end)
  return {
    happenings: bytes
      .toString('utf8', 0, end)
      .split('\n')
      .slice(0, -1)
      .map((line, i) => parseLine(line, i, path)),
    append: (happening) => void writeSync(file, `${JSON.stringify(happening)}\n`),
    close: () => closeSync(file),
  }
}

/** The journal of a sandbox that keeps nothing. */
const noJournal: Journal = { happenings: [], append: () => {}, close: () => {} }

const parseLine = (line: string, index: number, path: string): Happening => {
  try {
    return JSON.parse(line)
  } catch {
    throw new Error(`Line ${index + 1} of the sandbox journal ${path} is not JSON; move the file away to start again`)
  }
}
