import { share } from './data/hash.ts'
import type { FaultRule } from './fault-rule.ts'
import type { OperationName } from './operations.ts'
import type { Reply } from './registry.ts'
import { calmScenario, changeScenario, type Scenario, type ScenarioPatch } from './scenario.ts'

/** The current scenario, with the counters of its faults and the start of its outage. */
export type FaultState = {
  readonly scenario: Scenario
  readonly faults: Faults
  readonly isCalm: boolean
  readonly isOut: boolean
  change(patch: ScenarioPatch, at: number): void
}

export const openFaultState = (first: ScenarioPatch, seed: number, now: () => number): FaultState => {
  let scenario = calmScenario
  let faults = openFaults([], seed)
  let outageEnds = 0
  const faultState: FaultState = {
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
    change(patch, at) {
      scenario = changeScenario(scenario, patch)
      if (patch.faults) faults = openFaults(scenario.faults, seed)
      if (patch.outage) outageEnds = at + (scenario.outage?.forMs ?? Number.POSITIVE_INFINITY)
    },
  }
  faultState.change(first, now())
  return faultState
}

type Faults = {
  meet(operation: OperationName, document: string | null): FaultRule | undefined
  /** Keeps a reply for the next request of its operation that is mixed up, and returns the one that was kept before it. */
  mixUp(operation: OperationName, reply: Reply): Reply
}

/**
 * Decides which fault applies to a request. Each rule counts the requests that it matches. A share is drawn from the seed,
 * the rule and that count: the same seed and the same order of requests give the same faults.
 */
const openFaults = (rules: readonly FaultRule[], seed: number): Faults => {
  const counters = rules.map((rule, index) => ({ rule, index, seen: 0, met: 0 }))
  const kept = new Map<OperationName, Reply>()
  return {
    mixUp(operation, reply) {
      const before = kept.get(operation) ?? reply
      kept.set(operation, reply)
      return before
    },
    meet(operation, document) {
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
