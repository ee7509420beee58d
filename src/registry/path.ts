/** A path template with its values in place, or null where one is missing: a value never becomes a path of its own. */
export function fillPath(template: string, values: Record<string, string | number> = {}): string | null {
  let isWhole = true
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(values[name] ?? '')
    if (/^\.{0,2}$/.test(value)) isWhole = false
    return encodeURIComponent(value.toWellFormed())
  })
  return isWhole ? path : null
}

export function withQuery(path: string, query: Record<string, string> | undefined): string {
  return query ? `${path}?${new URLSearchParams(query)}` : path
}
