import { nameOf } from '../../batches/steer-lane.ts'
import { heldLanes } from '../../store/lanes.ts'
import type { CommandDefinition } from '../command.ts'
import { openContext } from '../open.ts'
import { renderTable } from '../table.ts'
import { moment } from '../wording.ts'

/** What is held and why. */
export const lanes: CommandDefinition = {
  examples: [{ line: 'vigia lanes', about: 'The lanes that stand still, since when, and why' }],

  async run(context) {
    await using opened = await openContext(context.env)
    const { timezone } = opened.settings
    const held = (await heldLanes(opened.sql)).map((hold) => ({
      lane: nameOf(hold),
      cause: hold.cause,
      detail: hold.detail,
      since: hold.heldAt.toISOString(),
      nextTry: hold.probeAt?.toISOString() ?? null,
      tries: hold.probes,
    }))
    const cells = held.map(({ lane, cause, detail, since, nextTry }) => [
      lane,
      cause,
      moment(since, timezone),
      moment(nextTry, timezone),
      detail ?? '',
    ])
    context.print({ held }, () =>
      held.length > 0 ? renderTable(columns, cells, context.stdout.columns) : 'No lane is held.',
    )
    return 0
  },
}

const columns = [
  { title: 'LANE' },
  { title: 'CAUSE' },
  { title: 'SINCE' },
  { title: 'NEXT TRY' },
  { title: 'WHY', free: true },
]
