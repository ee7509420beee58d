import type { JSONValue } from 'postgres'
import type { Sql } from './connect.ts'

export type Alert = { id: string; about: string; body: unknown; madeAt: Date; deliveredAt: Date | null }

export const insertAlert = async (
  sql: Sql,
  alert: { about: string; body: Record<string, unknown>; now: Date },
): Promise<string> => {
  const [row] = await sql<{ id: string }[]>`
    insert into alert (about, body, made_at)
    values (${alert.about}, ${sql.json(alert.body as JSONValue)}, ${alert.now})
    returning id`
  return row!.id
}

export const readAlert = async (sql: Sql, id: string): Promise<Alert | null> => {
  const [row] = await sql<Alert[]>`
    select id, about, body, made_at as "madeAt", delivered_at as "deliveredAt" from alert where id = ${id}`
  return row ?? null
}

export const recordDelivery = (
  sql: Sql,
  id: string,
  outcome: { deliveredAt: Date | null; problem: string | null },
) => sql`
  update alert set delivered_at = ${outcome.deliveredAt}, problem = ${outcome.problem} where id = ${id}`
