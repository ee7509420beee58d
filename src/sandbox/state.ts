import { closeSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs'
import { share } from './data/hash.ts'
import type { FaultRule } from './fault-rule.ts'
import { type Ledger, openLedger } from './ledger.ts'
import { buyForOthers } from './operations/analyses.ts'
import type { OperationName } from './operations.ts'
import { enter, type Happening, openRecords } from './records.ts'
import type { Reply, SandboxInternals } from './registry.ts'
import { calmScenario, changeScenario, type ScenarioPatch } from './scenario.ts'
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

/** The current scenario, with the counters of its faults and the start of its outage. */
type FaultState = ReturnType<typeof openFaultState>

const openFaultState = (first: ScenarioPatch, seed: number, now: () => number) => {
  let scenario = calmScenario
  let faults = openFaults([], seed)
  let outageEnds = 0
  const faultState = {
    get scenario() {
      return scenario
    },
    get faults() {
      return faults
    },
    get isCalm() {
      return scenario.faults.length === 0 && Object.keys(scenario.latency).length === 0
    },
    get isOut() {
      return scenario.outage !== null && now() < outageEnds
    },
    change(patch: ScenarioPatch, at: number): void {
      scenario = changeScenario(scenario, patch)
      if (patch.faults) faults = openFaults(scenario.faults, seed)
      if (patch.outage) outageEnds = at + (scenario.outage?.forMs ?? Number.POSITIVE_INFINITY)
    },
  }
  faultState.change(first, now())
  return faultState
}

/**
 * Decides which fault applies to a request. Each rule counts the requests that it matches. A share is drawn from the seed,
 * the rule and that count: the same seed and the same order of requests give the same faults.
 */
const openFaults = (rules: readonly FaultRule[], seed: number) => {
  const counters = rules.map((rule, index) => ({ rule, index, seen: 0, met: 0 }))
  const kept = new Map<OperationName, Reply>()
  return {
    /** Keeps a reply for the next request of its operation that is mixed up, and returns the one that was kept before it. */
    mixUp(operation: OperationName, reply: Reply): Reply {
      const before = kept.get(operation) ?? reply
      kept.set(operation, reply)
      return before
    },
    meet(operation: OperationName, document: string | null): FaultRule | undefined {
      let chosen: FaultRule | undefined
      for (const counter of counters) {
        if (!matches(counter.rule, operation, document)) continue
        counter.seen++
        if (chosen || !isDue(counter, seed)) continue
        counter.met++
        chosen = counter.rule
      }
      return chosen
    },
  }
}

type Counter = { rule: FaultRule; index: number; seen: number; met: number }

const matches = (rule: FaultRule, operation: OperationName, document: string | null): boolean => {
  if (rule.document !== undefined && rule.document !== document) return false
  if (rule.operation === 'all' || rule.operation === operation) return true
  return Array.isArray(rule.operation) && rule.operation.includes(operation)
}

/** All conditions that a rule names must hold; a rule without conditions matches every request. */
const isDue = ({ rule, index, seen, met }: Counter, seed: number): boolean => {
  if (rule.times !== undefined && met >= rule.times) return false
  if (rule.after !== undefined && seen <= rule.after) return false
  if (rule.nth !== undefined && seen !== rule.nth) return false
  if (rule.every !== undefined && seen % rule.every !== 0) return false
  return rule.share === undefined || share(`fault ${index} ${seen}`, seed) < rule.share
}
