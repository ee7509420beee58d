import { readFile } from 'node:fs/promises'
import { credentials } from '../../src/sandbox/tokens.ts'
import type { Arena } from './arena.ts'

/** No full CPF and no token in a log line, nor in the data that a queue keeps of its jobs. */
export const checkPrivacy = async (arena: Arena, more: string[] = []): Promise<string[]> => {
  const secrets = new Set([...more, ...arena.submitted.flatMap(({ documents }) => documents)])
  const shown = (text: string): boolean =>
    (text.replace(/(?<=\d)[.\-/](?=\d)/g, '').match(/\d{11,14}/g) ?? []).some((digits) => secrets.has(digits)) ||
    text.includes(credentials.refreshToken) ||
    /sandbox-access-\d/.test(text)
  const logs = await Promise.all(arena.fleet.logs.map((log) => readFile(log, 'utf8')))
  const lines = logs.flatMap((log) => log.split('\n')).filter(shown)
  const jobs = await arena.sql<{ kept: string }[]>`
    select concat(data, output, singleton_key, group_id) as kept from pgboss.job`
  const payloads = jobs.filter(({ kept }) => shown(kept))
  return [
    ...(lines.length > 0 ? [`${lines.length} log lines show a document or a token`] : []),
    ...(payloads.length > 0 ? [`${payloads.length} queue payloads show a document or a token`] : []),
  ]
}
