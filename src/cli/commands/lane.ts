import { holdLaneByHand, nameOf, resumeLaneByHand } from '../../batches/steer-lane.ts'
import type { CommandDefinition, CommandGroup } from '../command.ts'
import { readLane } from '../lane-name.ts'
import { openContext } from '../open.ts'
import { whoCalls } from '../who.ts'

const laneArgument = { name: '<lane>', about: 'organization/kind, such as 7001/analysis' }

const hold: CommandDefinition<{ reason: string }> = {
  arguments: [laneArgument],
  options: [{ flags: '--reason <text>', about: 'why, for those who read it later', default: 'held by an operator' }],
  examples: [
    { line: 'vigia lane hold 7001/analysis --reason "contract under review"', about: 'Nothing leaves any more' },
  ],

  async run(context, [text], { reason }) {
    await using opened = await openContext(context.env)
    const lane = readLane(text!, opened.settings)
    await holdLaneByHand(opened.sql, lane, { by: whoCalls(), now: new Date(), reason })
    context.print({ lane: nameOf(lane), held: true, reason }, () => `Lane ${nameOf(lane)} is held: ${reason}`)
    return 0
  },
}

const resume: CommandDefinition = {
  arguments: [laneArgument],
  examples: [{ line: 'vigia lane resume 7001/analysis', about: 'Goes on, whatever held it' }],

  async run(context, [text]) {
    await using opened = await openContext(context.env)
    const lane = readLane(text!, opened.settings)
    await resumeLaneByHand(opened.sql, lane, { by: whoCalls(), now: new Date() })
    context.print({ lane: nameOf(lane), held: false }, () => `Lane ${nameOf(lane)} goes on.`)
    return 0
  },
}

/** Holds a lane by hand, or lets it go on. */
export const lane: CommandGroup = {
  commands: [
    { name: 'hold', summary: 'send nothing more in a lane', load: async () => hold },
    { name: 'resume', summary: 'let a lane go on, whatever holds it', load: async () => resume },
  ],
}
