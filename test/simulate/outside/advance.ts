import { advance as real } from '../../../src/domain/advance.ts'
import { pairs } from './pairs.ts'

export * from '../../../src/domain/advance.ts'

/** The real one; what it met is counted. */
export const advance: typeof real = (lookup, outcome, ...rest) => {
  const step = real(lookup, outcome, ...rest)
  const pair = `${lookup.kind === 'cnh' ? 'cnh ' : ''}${lookup.state} × ${outcome.is} → ${step.to}`
  pairs.set(pair, (pairs.get(pair) ?? 0) + 1)
  return step
}
