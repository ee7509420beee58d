import type { PostgresType } from 'postgres'

/**
 * How arrays are written to PostgreSQL and read from it, by the number of their type.
 *
 * The driver would ask each new connection for these numbers and await the answer nowhere, and it reads a NULL in an array
 * as the text NULL. The numbers of built-in types never change.
 */
const arrayOf = <T>(
  type: number,
  parse: (text: string) => T,
  serialize: (value: never) => string = quote,
): PostgresType => ({
  to: type,
  from: [type],
  parse: (text: string) => parseArray(text, parse),
  serialize: (values: unknown) => (Array.isArray(values) ? arrayText(values, serialize) : values),
})

const asText = (text: string): string => text
/** Searching for what must be escaped is cheaper than replacing nothing. */
const special = /["\\]/
const quote = (value: unknown): string => {
  const text = String(value)
  return `"${special.test(text) ? text.replace(/["\\]/g, '\\$&') : text}"`
}
const toJson = (value: unknown): string => quote(JSON.stringify(value))
const asMoment = (text: string): Date => new Date(text)
const iso = (moment: Date): string => `"${moment.toISOString()}"`

export const arrayTypes: Record<string, PostgresType> = {
  booleans: arrayOf(1000, (text) => text === 't', String),
  smallints: arrayOf(1005, Number, String),
  integers: arrayOf(1007, Number, String),
  bigints: arrayOf(1016, BigInt, String),
  oids: arrayOf(1028, Number, String),
  tids: arrayOf(1010, asText),
  reals: arrayOf(1021, Number, String),
  floats: arrayOf(1022, Number, String),
  numerics: arrayOf(1231, asText),
  texts: arrayOf(1009, asText),
  varchars: arrayOf(1015, asText),
  names: arrayOf(1003, asText),
  uuids: arrayOf(2951, asText),
  dates: arrayOf(1182, asMoment, iso),
  timestamps: arrayOf(1115, asMoment, iso),
  moments: arrayOf(1185, asMoment, iso),
  jsons: arrayOf(199, JSON.parse, toJson),
  jsonbs: arrayOf(3807, JSON.parse, toJson),
}

const arrayText = (values: unknown[], serialize: (value: never) => string): string => {
  let text = '{'
  for (let index = 0; index < values.length; index++) {
    if (index > 0) text += ','
    text += elementText(values[index], serialize)
  }
  return `${text}}`
}

const elementText = (value: unknown, serialize: (value: never) => string): string => {
  if (value === undefined) throw new Error('an array for PostgreSQL contains undefined: pass null, or leave it out')
  if (value === null) return 'null'
  if (Array.isArray(value)) return arrayText(value, serialize)
  return serialize(value as never)
}

type Elements<T> = (T | null | Elements<T>)[]

/** `{1,NULL,"a b"}`. Only without quotes is NULL no text. */
const parseArray = <T>(text: string, parse: (text: string) => T): Elements<T> => {
  const outermost: Elements<T> = []
  const open = [outermost]
  for (const [token, quoted] of text.matchAll(/[{}]|"((?:[^"\\]|\\.)*)"|[^,{}"]+/gs)) {
    const inner = open.at(-1)!
    if (token === '{') {
      const nested: Elements<T> = []
      inner.push(nested)
      open.push(nested)
    } else if (token === '}') open.pop()
    else if (quoted !== undefined) inner.push(parse(quoted.replace(/\\(.)/gs, '$1')))
    else inner.push(token === 'NULL' ? null : parse(token))
  }
  return outermost[0] as Elements<T>
}
