import { laneOperations } from '../../operations/lanes.ts'
import { splitLane } from '../../views/incident.ts'
import type { CommandGroup } from '../command.ts'
import { operationCommand } from '../operation-command.ts'

/** The held lanes, and why they are held. */
export const lanes = operationCommand(laneOperations.list, {
  examples: [{ line: 'vigia lanes', about: 'List held lanes, since when, and why' }],
  lines: ({ held }, { at, table }) =>
    table(
      held,
      [
        ['LANE', (hold) => hold.lane],
        ['CAUSE', ({ cause }) => cause],
        ['SINCE', ({ since }) => at(since)],
        ['NEXT TRY', ({ nextTry }) => at(nextTry)],
        ['WHY', ({ detail }) => detail, 'free'],
      ],
      'No lane is held.',
    ),
})

const named = {
  arguments: [{ name: '<lane>', about: 'organization/kind, such as 7001/analysis' }],
  inputOf: ([text = '']: string[]) => splitLane(text),
}

const hold = operationCommand(laneOperations.hold, {
  ...named,
  examples: [
    { line: 'vigia lane hold 7001/analysis --reason "contract under review"', about: 'Send nothing more in this lane' },
  ],
  lines: ({ lane, reason }) => `Lane ${lane} is held: ${reason}`,
})

const resume = operationCommand(laneOperations.resume, {
  ...named,
  examples: [{ line: 'vigia lane resume 7001/analysis', about: 'Resume it, whatever held it' }],
  lines: ({ lane }) => `Lane ${lane} is resumed.`,
})

/** Holds a lane by hand, or resumes it. */
export const lane: CommandGroup = {
  commands: [
    { name: 'hold', summary: 'hold a lane: send nothing more in it', load: async () => hold },
    { name: 'resume', summary: 'resume a lane, whatever holds it', load: async () => resume },
  ],
}
