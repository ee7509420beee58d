import type { JSONValue } from 'postgres'
import { inEnglish } from '../domain/said/english.ts'
import type { Said } from '../domain/said/said.ts'
import type { Sql } from './connect.ts'

/** A line for the story of a look-up. */
export const storyLine = (now: Date, said: Said): string => `${now.toISOString()} ${JSON.stringify(said)}`

/** Why a look-up ended, for the `set` of an update: in English for reports, and as it is decided and translated by. */
export const because = (sql: Sql, said: Said) => sql`detail = ${inEnglish(said)}, said = ${saidJson(sql, said)}`

export const saidJson = (sql: Sql, said: Said) => sql.json(said as JSONValue)
