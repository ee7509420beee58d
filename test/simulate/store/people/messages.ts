import type { Sql } from '../../../../src/store/connect.ts'
import { on } from '../handle.ts'

type NewAlert = { key: string | null; about: string; body: Record<string, unknown> }

export const insertAlert = async (sql: Sql, { key, about, body }: NewAlert): Promise<string | null> =>
  on(sql, (database) => {
    const { alerts } = database.tables
    if (key !== null && alerts.has(key)) return null
    database.put(alerts, key ?? `alert ${alerts.size}`, { key, about, body })
    return String(alerts.size)
  })

/** Nobody of a history waits for mail. */
export const insertMessages = async (): Promise<string[]> => []
