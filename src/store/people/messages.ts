import type { JSONValue } from 'postgres'
import type { Severity } from '../../domain/rule.ts'
import type { Sql } from '../connect.ts'
import { allValues, firstRow, firstValue, isAny } from '../rows.ts'

export const channels = ['webhook', 'email', 'slack', 'teams'] as const
type Channel = (typeof channels)[number]

/** The recipient of a message: a person by mail, or the address of a setting. */
export type Address = { channel: Channel; address: string }

/** An event that people are notified of. There is one per key, however often it is noticed. */
type NewAlert = {
  key: string | null
  about: string
  severity: Severity
  body: Record<string, unknown>
  now: Date
}

/** Records an event; null if it was recorded before. */
export const insertAlert = (sql: Sql, alert: NewAlert): Promise<string | null> =>
  firstValue(sql`
    insert into vigia.alert (key, about, severity, body, made_at)
    values (${alert.key}, ${alert.about}, ${alert.severity}, ${sql.json(alert.body as JSONValue)}, ${alert.now})
        on conflict (key) do nothing
    returning id`)

/** Records the recipients of an event, once each; returns the new ones. */
export const insertMessages = (sql: Sql, alertId: string, to: readonly Address[], now: Date): Promise<string[]> =>
  allValues(sql`
    insert into vigia.message (alert_id, channel, address, made_at)
    select ${alertId}, channel, address, ${now}
      from unnest(${to.map((each) => each.channel)}::text[], ${to.map((each) => each.address)}::text[]) as wanted (channel, address)
        on conflict (alert_id, channel, address) do nothing
    returning id`)

export type OutgoingMessage = Address & {
  id: string
  about: string
  severity: Severity
  body: Record<string, unknown>
  alertMadeAt: Date
}

/**
 * Claims a message for a time in order to send it; null if it was sent, or another job has just claimed it.
 *
 * That job may be dead. Until its claim expires this is not known, so nobody else sends meanwhile.
 */
export const claimMessage = (sql: Sql, id: string, now: Date, forMs: number): Promise<OutgoingMessage | null> =>
  firstRow(sql`
    update vigia.message m
       set claimed_at = ${now}, tries = tries + 1
      from vigia.alert a
     where m.id = ${id} and a.id = m.alert_id and m.sent_at is null
       and (m.claimed_at is null or m.claimed_at < ${new Date(now.getTime() - forMs)})
    returning m.id, m.channel, m.address, a.about, a.severity, a.body, a.made_at as alert_made_at`)

export const isOwed = (sql: Sql, id: string): Promise<boolean> =>
  isAny(sql`select from vigia.message where id = ${id} and sent_at is null`)

export const recordSent = (sql: Sql, id: string, now: Date) => sql`
  update vigia.message set sent_at = ${now}, problem = null, claimed_at = null where id = ${id}`

/** Records the failure of an attempt, and releases the claim for the next one. */
export const recordProblem = (sql: Sql, id: string, problem: string) => sql`
  update vigia.message set problem = ${problem}, claimed_at = null where id = ${id} and sent_at is null`

/** Messages that were not accepted yet and whose job may be lost. */
export const owedMessages = (sql: Sql, made: { after: Date; before: Date }) => sql<{ id: string }[]>`
  select id
    from vigia.message
   where sent_at is null and made_at > ${made.after} and made_at < ${made.before}
   order by made_at`

type AlertEvent = { key: string; severity: Severity; body: Record<string, unknown> }

/** Events that people were notified of, without a notification of their end. */
export const listUnanswered = (sql: Sql, about: string, suffix: string, since: Date) => sql<AlertEvent[]>`
  select a.key, a.severity, a.body
    from vigia.alert a
   where a.about = ${about} and a.made_at > ${since} and a.body ? 'lanes'
     and not exists (select from vigia.alert e where e.key = replace(a.key, ${about}, ${suffix}))`
