import type { RowStory } from '../batches/row-story.ts'
import { facts, moment } from './wording.ts'

export function renderRowStory({ batch, line, lookup, story, ...row }: RowStory, timezone: string): string {
  const at = (time: string | null) => moment(time, timezone)
  const head = facts([
    ['Row', `line ${line} of batch ${batch}`],
    ['State', row.state],
    ['Detail', row.detail],
    ['Document', row.document],
    ['Repaired', row.repair],
    ['Look-up', lookup && `${lookup.id} (${lookup.kind}, organization ${lookup.organization})`],
    ['Charged', lookup && `${lookup.charged}${row.pays ? '' : ' (by another row)'}`],
    ['Registry id', lookup?.remoteId],
    ['Last status', lookup?.seen],
    ['Deadline', lookup && at(lookup.deadline)],
  ])
  return [head, ...story.map(({ at: time, what }) => `  ${at(time)}  ${what}`)].join('\n')
}
