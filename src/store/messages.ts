import type { JSONValue } from 'postgres'
import type { Message } from '../messages/message.ts'
import type { Sql } from './connect.ts'

/** A line for the history of a look-up. */
export const historyLine = (now: Date, message: Message): string => `${now.toISOString()} ${JSON.stringify(message)}`

export const messageJson = (sql: Sql, message: Message) => sql.json(message as JSONValue)
