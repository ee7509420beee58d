import { z } from 'zod'
import { severities } from '../domain/rule.ts'
import type { Sql } from '../store/connect.ts'
import { channels } from '../store/people/messages.ts'
import { masked, moment, toJson } from './fields.ts'

/** One notification: its subject, its address, and whether it was accepted. */
export const alert = z.object({
  id: z.uuid(),
  about: z.string(),
  severity: z.enum(severities),
  channel: z.enum(channels),
  address: z.string().describe('the recipient of a mail; for other channels the name of the setting'),
  made: moment,
  sent: moment.nullable().describe('when the receiver accepted it; null: not yet'),
  tries: z.int(),
  problem: masked.nullable().describe('why the last try failed'),
})
export type AlertShown = z.output<typeof alert>

/** Newest first. */
export const listAlerts = async (sql: Sql, limit: number): Promise<AlertShown[]> =>
  toJson(
    await sql`
    select m.id, a.about, a.severity, m.channel, m.address, m.made_at as made, m.sent_at as sent, m.tries, m.problem
      from vigia.message m
      join vigia.alert a on a.id = m.alert_id
     order by m.made_at desc, m.id
     limit ${limit}`,
  )
