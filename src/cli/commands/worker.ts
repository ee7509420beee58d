import { once } from 'node:events'
import { startWatchdog } from '../../watchdog/start-watchdog.ts'
import type { CommandDefinition } from '../command.ts'
import { openContext } from '../open.ts'
import { startWorker } from '../start-worker.ts'

/** The long-running service. Whatever is started here is stopped in reverse when the process is told to end. */
export const worker: CommandDefinition = {
  examples: [
    { line: 'vigia worker', about: 'Works until SIGTERM or Ctrl-C, then ends what it has in hand' },
    { line: 'DATABASE_URL=postgres://vigia@db/vigia vigia worker', about: 'One more worker of a fleet' },
  ],

  async run(context) {
    // Only here: a service has someone who starts it anew, while whoever runs a file in the foreground sees it stand still.
    await using _watchdog = startWatchdog()
    await using opened = await openContext(context.env)
    await using started = await startWorker(opened)
    const { url, signInLink } = started
    const organizations = started.running.accounts.map(({ organizationId }) => organizationId)
    const { path: home } = opened.home
    context.print({ organizations, home, url, signInLink, pid: process.pid }, () =>
      [
        `Working for ${organizations.join(', ')}; home ${home}`,
        `Operator page: ${signInLink ?? url}${signInLink ? ' (opens once, as administrator)' : ''}`,
      ].join('\n'),
    )
    if (!context.signal.aborted) await once(context.signal, 'abort')
    opened.log.info({}, 'worker stops')
    return 0
  },
}
