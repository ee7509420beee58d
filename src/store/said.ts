import type { Fragment, JSONValue } from 'postgres'
import { inEnglish } from '../domain/said/english.ts'
import type { Said } from '../domain/said/said.ts'
import type { Sql } from './connect.ts'

/** A line for the story of a look-up. */
export const storyLine = (now: Date, said: Said): string => `${now.toISOString()} ${JSON.stringify(said)}`

/** Why a look-up ended, for the `set` of an update: in English for reports, and as it is decided and translated by. */
export const because = (sql: Sql, said: Said) => sql`detail = ${inEnglish(said)}, said = ${saidJson(sql, said)}`

/** `because`, of a value that only the statement knows; it may be null. */
export const becauseOf = (sql: Sql, code: SaidOfOne, value: Fragment) => {
  const place = '\u{fffc}'
  const [before = '', after = ''] = inEnglish([code, place]).split(place)
  return {
    detail: sql`case when ${value} is null then ${inEnglish([code, null])} else ${before} || ${value} || ${after}::text end`,
    said: sql`jsonb_build_array(${code}::text, ${value})`,
  }
}

/** What is said of one value or none. */
type SaidOfOne = 'last_seen' | 'bought_elsewhere'

export const saidJson = (sql: Sql, said: Said) => sql.json(said as JSONValue)
