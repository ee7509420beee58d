import { share } from './data/hash.ts'
import type { FaultRule } from './fault-rule.ts'
import type { OperationName } from './operations.ts'

export type Faults = { meet(operation: OperationName, document: string | null): FaultRule | undefined }

/**
 * Decides which request meets which fault. Each rule counts the requests it matches, and a share is drawn
 * from the seed, the rule and that count: the same seed and the same order of requests give the same faults.
 */
export function openFaults(rules: readonly FaultRule[], seed: number): Faults {
  const counters = rules.map((rule, index) => ({ rule, index, seen: 0, met: 0 }))
  return {
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

function matches(rule: FaultRule, operation: OperationName, document: string | null): boolean {
  if (rule.document !== undefined && rule.document !== document) return false
  if (rule.operation === 'all' || rule.operation === operation) return true
  return Array.isArray(rule.operation) && rule.operation.includes(operation)
}

/** All conditions that a rule names must hold; a rule that names none meets every request. */
function isDue({ rule, index, seen, met }: Counter, seed: number): boolean {
  if (rule.times !== undefined && met >= rule.times) return false
  if (rule.after !== undefined && seen <= rule.after) return false
  if (rule.nth !== undefined && seen !== rule.nth) return false
  if (rule.every !== undefined && seen % rule.every !== 0) return false
  return rule.share === undefined || share(`fault ${index} ${seen}`, seed) < rule.share
}
