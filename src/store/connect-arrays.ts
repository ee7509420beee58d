import type postgres from 'postgres'

/**
 * Lets `any(${ids})` take an array of bigint, Date or boolean.
 *
 * postgres.js names the type of an array after its first element, so PostgreSQL is told that a list of bigint is one
 * bigint. Sent without a name, PostgreSQL finds the type out by itself, as it does for texts and numbers.
 */
export function acceptArrays<S extends postgres.ISql<{ bigint: bigint }>>(sql: S): S {
  return new Proxy(sql, {
    apply(target, self, [first, ...values]: unknown[]) {
      const given = isTemplate(first) ? values.map((value) => unnamed(sql, value)) : values
      return Reflect.apply(target as unknown as Tag, self, [first, ...given])
    },
    get(target, name) {
      const member: unknown = Reflect.get(target, name)
      return name in inner ? inner[name as keyof typeof inner](member as Tag) : member
    },
  })
}

type Tag = (...values: unknown[]) => unknown

/** What hands out another connection must hand it out with the same gift. */
const inner = {
  begin: (member: Tag) => takingBody(member),
  savepoint: (member: Tag) => takingBody(member),
  reserve: (member: Tag) => async () => acceptArrays((await member()) as postgres.ISql<{ bigint: bigint }>),
}

const takingBody =
  (member: Tag) =>
  (...values: unknown[]) => {
    const body = values.pop() as Tag
    return member(...values, (sql: postgres.ISql<{ bigint: bigint }>) => body(acceptArrays(sql)))
  }

const isTemplate = (value: unknown): boolean => Array.isArray(value) && 'raw' in value

function unnamed(sql: postgres.ISql<{ bigint: bigint }>, value: unknown): unknown {
  const [first] = Array.isArray(value) ? value : []
  const misnamed = typeof first === 'bigint' || typeof first === 'boolean' || first instanceof Date
  return misnamed ? sql.typed(value, 0) : value
}
