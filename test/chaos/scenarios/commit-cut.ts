import { cpfs } from '../../support/documents.ts'
import { check } from '../checker.ts'
import { startCutProxy } from '../cut-proxy.ts'
import { mixedFaults } from '../mixed-faults.ts'
import { outcomeOf, type Scenario, unlessOk } from '../scenario.ts'

/** The connection breaks at COMMIT: before it arrives, or after it did and before the answer. */
export const commitCut: Scenario = {
  name: 'commit-cut',
  size: '960 rows; full: 3,200',
  async run({ open, random, full }) {
    let calm = true
    await using proxy = await startCutProxy((query) => {
      if (calm || !/^commit/i.test(query.trim()) || random.next() > 0.08) return 'pass'
      return random.pick(['cutBefore', 'cutAfter'])
    })
    await using arena = await open({
      scenario: { faults: mixedFaults, latency: { all: { ms: 20, jitter: 15 } } },
      workersReach: (url) => proxy.through(url),
    })
    await arena.fleet.startMany(2)
    calm = false
    for (let file = 0; file < (full ? 10 : 3); file++) await arena.submit(cpfs(320, file * 300))
    await arena.finished(300_000)
    const findings = await check(arena)
    return outcomeOf(findings, { 'commits cut': proxy.cuts }, [
      ...unlessOk(findings, ['unknown_outcome']),
      proxy.cuts === 0 && 'no commit was cut: the proxy proves nothing',
    ])
  },
}
