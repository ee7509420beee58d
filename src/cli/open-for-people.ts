import type { CommandContext } from './context.ts'
import { type Opened, openContext } from './open.ts'

/** Opens everything for someone who watches: the log says only what went wrong, unless it was asked for more. */
export async function openForPeople({ env }: Pick<CommandContext, 'env'>): Promise<Opened> {
  const opened = await openContext(env)
  if (!env.LOG_LEVEL) opened.log.level = 'error'
  return opened
}
