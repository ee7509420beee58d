import { cpfs } from '../../support/documents.ts'
import { check } from '../checker.ts'
import { outcomeOf, type Scenario, unlessOk } from '../scenario.ts'

const documents = 60
const hung = 20

/** Answers are lost, and the list that would show the purchases is cut: rows are parked, and nothing is bought again. */
export const truncatedList: Scenario = {
  name: 'truncated-list',
  size: '60 documents, 20 answers lost',
  async run({ open }) {
    await using arena = await open({
      scenario: {
        activities: { limit: 1, keep: 'oldest' },
        faults: [{ operation: 'generate', fault: 'hang', every: 2, after: 10, times: hung }],
      },
    })
    await arena.fleet.startMany(2)
    await arena.submit(cpfs(documents))
    await arena.finished()
    const findings = await check(arena)
    return outcomeOf(findings, {}, [
      ...unlessOk(findings, ['unknown_outcome']),
      findings.records.parked !== hung && `${findings.records.parked} rows are parked, ${hung} answers were lost`,
    ])
  },
}
