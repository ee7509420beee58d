import { cpfs } from '../../support/documents.ts'
import { check } from '../checker.ts'
import { outcomeOf, type Scenario, unlessOk } from '../scenario.ts'

const life = 50

/** A token that is valid for fifty calls, for four workers: each expired one is renewed once, and no call fails. */
export const tokenExpires: Scenario = {
  name: 'token-expires',
  size: '500 documents, 4 workers, a token for 50 calls',
  async run({ open }) {
    await using arena = await open({
      scenario: { token: { expiresAfterCalls: life }, latency: { all: { ms: 25, jitter: 20 } } },
      config: { request: { timeout: '5s', retries: 2 } },
    })
    await arena.fleet.startMany(4)
    await arena.submit(cpfs(500))
    await arena.finished()
    const findings = await check(arena)
    const { requests, counts } = findings.evidence
    const served = requests.filter(
      ({ operation, status }) => operation !== 'refresh' && status !== null && status < 300,
    ).length
    const [row] = await arena.sql<{ stumbled: number }[]>`
      select count(*)::int as stumbled from vigia.lookup where exists (
        select from unnest(trace) as line where vigia.history_code(line) in ('no_answer', 'not_sent', 'refused', 'held'))`
    return outcomeOf(findings, { renewals: counts.refresh, 'calls served': served }, [
      ...unlessOk(findings),
      counts.refresh < 10 && `only ${counts.refresh} renewals: the scenario proves little`,
      served < counts.refresh * life &&
        `${counts.refresh} renewals for ${served} calls: a token was renewed before it expired`,
      row!.stumbled > 0 && `${row!.stumbled} look-ups had a failed call`,
    ])
  },
}
