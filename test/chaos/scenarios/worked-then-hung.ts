import { cpfs } from '../../support/documents.ts'
import { check } from '../checker.ts'
import { outcomeOf, type Scenario, unlessOk } from '../scenario.ts'

const hung = 500
const documents = 2 * hung

/**
 * Five hundred purchases are made and no answer arrives: each is found in the registry's list, none is bought again.
 *
 * Every other call is answered, and few are open at once: if no call were answered, that would be an outage.
 */
export const workedThenHung: Scenario = {
  name: 'worked-then-hung',
  size: '1,000 documents, 500 answers lost',
  async run({ open }) {
    await using arena = await open({
      scenario: { faults: [{ operation: 'generate', fault: 'hang', every: 2, times: hung }] },
      config: { concurrency: { worker: 6, fleet: 16 }, request: { timeout: '1s', retries: 0 } },
    })
    await arena.fleet.startMany(3)
    await arena.submit(cpfs(documents))
    await arena.finished(240_000)
    const findings = await check(arena)
    const [row] = await arena.sql<{ adopted: number }[]>`
      select count(*)::int as adopted from vigia.lookup where exists (
        select from unnest(trace) as line where vigia.history_code(line) = 'adopted')`
    const adopted = row?.adopted ?? 0
    const { charges } = findings.figures
    return outcomeOf(findings, { adopted }, [
      ...unlessOk(findings),
      charges !== documents && `${charges} charges for ${documents} documents`,
      adopted !== hung && `${adopted} of ${hung} lost purchases were adopted`,
    ])
  },
}
