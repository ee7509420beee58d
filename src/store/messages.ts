import type { Fragment, JSONValue } from 'postgres'
import { inEnglish, type Message } from '../messages/message.ts'
import type { Sql } from './connect.ts'

/** A line for the history of a look-up. */
export const historyLine = (now: Date, message: Message): string => `${now.toISOString()} ${JSON.stringify(message)}`

/** Why a look-up ended, for the `set` of an update: as English text for reports, and as the message itself. */
export const setReason = (sql: Sql, message: Message) =>
  sql`detail = ${inEnglish(message)}, message = ${messageJson(sql, message)}`

/** Like `setReason`, for a message whose value only the statement knows; the value may be null. */
export const reasonWith = (sql: Sql, code: MessageWithValue, value: Fragment) => {
  const place = '\u{fffc}'
  const [before = '', after = ''] = inEnglish([code, place]).split(place)
  return {
    detail: sql`case when ${value} is null then ${inEnglish([code, null])} else ${before} || ${value} || ${after}::text end`,
    message: sql`jsonb_build_array(${code}::text, ${value})`,
  }
}

/** Messages with one value that may be null. */
type MessageWithValue = 'last_seen' | 'bought_elsewhere'

export const messageJson = (sql: Sql, message: Message) => sql.json(message as JSONValue)
