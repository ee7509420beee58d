import { previewSweep } from '../../monitoring/preview-sweep.ts'
import { isSweepName, sweepNames } from '../../store/sweeps.ts'
import { startEngine } from '../../worker.ts'
import { sweepOnceAsked, yesToSweep } from '../ask-for-sweep.ts'
import type { CommandDefinition } from '../command.ts'
import { openForPeople } from '../open-for-people.ts'
import { UsageError } from '../usage-error.ts'

/** One sweep now, whatever the schedule says. */
export const sweep: CommandDefinition<{ dryRun?: boolean; yes?: boolean }> = {
  arguments: [{ name: '<name>', about: sweepNames.join(', ') }],
  options: [{ flags: '--dry-run', about: 'say what it would do, and do nothing' }, yesToSweep],
  examples: [
    { line: 'vigia sweep radars', about: 'Look at every radar now, after a word to what it would buy' },
    { line: 'vigia sweep radars --dry-run', about: 'How many documents it would look at, and what it would cost' },
  ],

  async run(context, [name], { dryRun, yes }) {
    if (!isSweepName(name!)) throw new UsageError(`There is no sweep "${name}": choose ${sweepNames.join(', ')}`)
    await using opened = await openForPeople(context)
    if (dryRun) {
      await using running = await startEngine(opened, { looksUp: false })
      const found = await previewSweep(running.tools, name)
      context.print(
        { sweep: name, dryRun: true, ...found },
        () => `${name} would do this, and did nothing:\n${JSON.stringify(found, null, 2)}`,
      )
      return 0
    }
    return await sweepOnceAsked(context, opened, name, yes)
  },
}
