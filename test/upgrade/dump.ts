import { execFile } from 'node:child_process'
import { hostname } from 'node:os'
import { promisify } from 'node:util'

const run = promisify(execFile)

/**
 * The database as plain statements that any driver can send to any server from 14 on, without the names of the machine
 * that it came from. `--inserts`, because a COPY block is the language of psql.
 */
export const dumpDatabase = async (url: string, hidden: Record<string, string>): Promise<string> => {
  const choices = [
    '--no-owner',
    '--no-privileges',
    '--inserts',
    '--rows-per-insert=200',
    '--schema=vigia',
    '--schema=pgboss',
  ]
  const { stdout } = await run('pg_dump', [...choices, url], { maxBuffer: 1 << 28 })
  const lines = stdout.split('\n').filter((line) => !isAboutThisServer.test(line))
  return Object.entries({ ...hidden, [`'${hostname()}'`]: "'host'" }).reduce(
    (text, [name, instead]) => text.replaceAll(name, instead),
    lines.join('\n'),
  )
}

/** Comments, commands of psql, and settings that not every version knows or that belong to a session of pg_dump. */
const isAboutThisServer = /^(--.*|\\.*|SET (transaction_timeout|default_table_access_method|idle_in_transaction).*)$/
