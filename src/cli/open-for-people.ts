import { loadSettings } from '../../config/settings.ts'
import type { CommandContext } from './context.ts'
import { type Opened, openContext } from './open.ts'

type Watcher = Pick<CommandContext, 'env'> & Partial<Pick<CommandContext, 'stderr' | 'json'>>

/** Opens everything for someone who watches: the log says only what went wrong, unless it was asked for more. */
export async function openForPeople({ env, stderr, json }: Watcher): Promise<Opened> {
  const embedded = loadSettings(env).databaseUrl === null
  if (embedded && !json) stderr?.write('Starting PostgreSQL (DATABASE_URL is not set)…\n')
  const opened = await openContext(env)
  if (!env.LOG_LEVEL) opened.log.level = 'error'
  return opened
}
