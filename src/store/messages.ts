import type { Fragment, JSONValue } from 'postgres'
import { inEnglish } from '../domain/messages/english.ts'
import type { Message } from '../domain/messages/message.ts'
import type { Sql } from './connect.ts'

/** A line for the story of a look-up. */
export const historyLine = (now: Date, message: Message): string => `${now.toISOString()} ${JSON.stringify(message)}`

/** Why a look-up ended, for the `set` of an update: in English for reports, and as it is decided and translated by. */
export const because = (sql: Sql, message: Message) =>
  sql`detail = ${inEnglish(message)}, message = ${messageJson(sql, message)}`

/** `because`, of a value that only the statement knows; it may be null. */
export const becauseOf = (sql: Sql, code: MessageWithValue, value: Fragment) => {
  const place = '\u{fffc}'
  const [before = '', after = ''] = inEnglish([code, place]).split(place)
  return {
    detail: sql`case when ${value} is null then ${inEnglish([code, null])} else ${before} || ${value} || ${after}::text end`,
    message: sql`jsonb_build_array(${code}::text, ${value})`,
  }
}

/** What is said of one value or none. */
type MessageWithValue = 'last_seen' | 'bought_elsewhere'

export const messageJson = (sql: Sql, message: Message) => sql.json(message as JSONValue)
