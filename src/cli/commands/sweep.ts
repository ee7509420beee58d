import { previewSweep } from '../../monitoring/preview-sweep.ts'
import { isSweepName, sweepNames } from '../../store/sweeps.ts'
import { startEngine } from '../../worker.ts'
import type { CommandDefinition } from '../command.ts'
import { openForPeople } from '../open-for-people.ts'
import { exitCodeOfSweep, plainSweep, runSweepNow, sweepSays } from '../run-sweep-now.ts'
import { UsageError } from '../usage-error.ts'

/** One sweep now, whatever the schedule says. */
export const sweep: CommandDefinition<{ dryRun?: boolean }> = {
  arguments: [{ name: '<name>', about: sweepNames.join(', ') }],
  options: [{ flags: '--dry-run', about: 'say what it would do, and do nothing' }],
  examples: [
    { line: 'vigia sweep radars', about: 'Look at every radar now, and say what changed' },
    { line: 'vigia sweep radars --dry-run', about: 'How many documents it would look at, and what it would cost' },
  ],

  async run(context, [name], { dryRun }) {
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
    const done = await runSweepNow(context, opened, name)
    context.print(plainSweep(done), () => sweepSays(done))
    return exitCodeOfSweep(done)
  },
}
