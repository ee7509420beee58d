const ranges: readonly (readonly [low: number, high: number])[] = [
  [0, 59],
  [0, 23],
  [1, 31],
  [1, 12],
  [0, 7],
]

/** Whether a text is a schedule of five fields: minute, hour, day of the month, month, day of the week. */
export function isCron(text: string): boolean {
  const fields = text.trim().split(/\s+/)
  return fields.length === ranges.length && fields.every((field, index) => isField(field, ranges[index]!))
}

/** A field is a list of `*`, `7` or `1-5`, each with a step such as `/10` if wanted. */
function isField(field: string, [low, high]: readonly [number, number]): boolean {
  return field.split(',').every((part) => {
    const match = /^(?:\*|(\d{1,2})(?:-(\d{1,2}))?)(?:\/(\d{1,2}))?$/.exec(part)
    if (!match) return false
    const [from = low, to = from, step = 1] = match.slice(1).map((number) => (number ? Number(number) : undefined))
    return from >= low && to <= high && from <= to && step >= 1
  })
}
