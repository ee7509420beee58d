import { cpfs } from '../../support/documents.ts'
import { check } from '../checker.ts'
import { outcomeOf, type Scenario } from '../scenario.ts'

const documents = 1_000

/** Analyses that never finish: every look-up ends at its deadline, and none of them counts as done. */
export const neverReady: Scenario = {
  name: 'never-ready',
  size: '1,000 documents',
  async run({ open }) {
    await using arena = await open({
      scenario: { faults: [{ operation: 'generate', fault: 'stuckForever' }] },
      config: { polling: { first: '500ms', max: '4s', deadline: '25s' } },
    })
    await arena.fleet.startMany(2)
    await arena.submit(cpfs(documents))
    await arena.finished()
    const findings = await check(arena)
    const timedOut = findings.records.states.timed_out ?? 0
    const [late] = await arena.sql<{ ms: number }[]>`
      select coalesce(extract(epoch from max(finished_at - deadline_at)) * 1000, 0)::int as ms from vigia.lookup`
    return outcomeOf(findings, { 'timed out': timedOut, 'ms after the deadline at most': late?.ms ?? 0 }, [
      timedOut !== documents && `${documents - timedOut} look-ups did not end as timed out`,
    ])
  },
}
