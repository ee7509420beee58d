import type { ScenarioPatch } from '../../src/sandbox/scenario.ts'

const rare = { operation: 'all' as const, share: 0.05 / 7 }

/** Together one call in twenty: before the work, after it, and where the caller cannot know which. */
export const mixedFaults: ScenarioPatch['faults'] = [
  { ...rare, fault: 'closedBefore' },
  { ...rare, fault: 'closedAfter' },
  { ...rare, fault: 'hang' },
  { ...rare, fault: 'serverErrorAfter' },
  { ...rare, fault: 'serverError' },
  { ...rare, fault: 'rateLimited' },
  { ...rare, fault: 'html', worked: true },
]
