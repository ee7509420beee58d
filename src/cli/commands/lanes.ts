import { holdLaneByHand, resumeLaneByHand } from '../../batches/hold-lane.ts'
import { inEnglish } from '../../domain/messages/english.ts'
import { laneId, readHolds } from '../../views/lane.ts'
import type { CommandDefinition, CommandGroup } from '../command.ts'
import { whoCalls } from '../context.ts'
import { localMoment } from '../lines/phrases.ts'
import { renderTable } from '../lines/table.ts'
import { openContext } from '../open.ts'
import { readLane } from '../options.ts'

/** The held lanes, and why they are held. */
export const lanes: CommandDefinition = {
  examples: [{ line: 'vigia lanes', about: 'List held lanes, since when, and why' }],

  async run(context) {
    await using opened = await openContext(context.env)
    const { timezone } = opened.settings
    const held = await readHolds(opened.sql)
    const cells = held.map(({ lane, cause, detail, since, nextTry }) => [
      lane,
      cause,
      localMoment(since, timezone),
      localMoment(nextTry, timezone),
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

const laneArgument = { name: '<lane>', about: 'organization/kind, such as 7001/analysis' }

const hold: CommandDefinition<{ reason?: string }> = {
  arguments: [laneArgument],
  options: [{ flags: '--reason <text>', about: 'why it is held, for others to read' }],
  examples: [
    { line: 'vigia lane hold 7001/analysis --reason "contract under review"', about: 'Send nothing more in this lane' },
  ],

  async run(context, [text], { reason }) {
    await using opened = await openContext(context.env)
    const lane = readLane(text!, opened.settings)
    await holdLaneByHand(opened.sql, lane, { by: whoCalls(), now: opened.clock(), reason })
    const shownReason = reason ?? inEnglish(['held_by_hand'])
    context.print(
      { lane: laneId(lane), held: true, reason: shownReason },
      () => `Lane ${laneId(lane)} is held: ${shownReason}`,
    )
    return 0
  },
}

const resume: CommandDefinition = {
  arguments: [laneArgument],
  examples: [{ line: 'vigia lane resume 7001/analysis', about: 'Resume it, whatever held it' }],

  async run(context, [text]) {
    await using opened = await openContext(context.env)
    const lane = readLane(text!, opened.settings)
    await resumeLaneByHand(opened.sql, lane, { by: whoCalls(), now: opened.clock() })
    context.print({ lane: laneId(lane), held: false }, () => `Lane ${laneId(lane)} is resumed.`)
    return 0
  },
}

/** Holds a lane by hand, or resumes it. */
export const lane: CommandGroup = {
  commands: [
    { name: 'hold', summary: 'hold a lane: send nothing more in it', load: async () => hold },
    { name: 'resume', summary: 'resume a lane, whatever holds it', load: async () => resume },
  ],
}
