import { z } from 'zod'
import { notFound } from '../operations/refusal.ts'
import { columnOfPart } from '../views/document-columns.ts'

const id = z.string().regex(/^\d{1,18}$/)

/** The number in an address such as `/batches/12`; anything else is not found. */
export const idIn = (params: unknown, name: string): bigint => {
  const value = id.safeParse((params as Record<string, unknown>)[name])
  if (!value.success) throw notFound(name)
  return BigInt(value.data)
}

export const lineIn = (params: unknown): number => {
  const line = Number(idIn(params, 'line'))
  if (line > 2_147_483_647) throw notFound('line')
  return line
}

/** One value of a query; empty counts as absent. */
export const queryText = (query: unknown, name: string, longest = 100): string | undefined => {
  const value = (query as Record<string, unknown>)[name]
  return typeof value === 'string' && value.trim() !== '' ? value.trim().slice(0, longest) : undefined
}

/** The page of a row, and of one of its documents where it has several. */
export const rowAddress = (
  batch: { id: bigint; layout: unknown },
  { line, part }: { line: number; part: number },
  below = '',
): string => `/batches/${batch.id}/rows/${line}${below}${queryOf({ column: columnOfPart(batch, part) ?? undefined })}`

/** `?a=1&b=2` of the values that are not undefined. */
export const queryOf = (values: Record<string, string | number | bigint | undefined>): string => {
  const entries = Object.entries(values).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  )
  return entries.length > 0 ? `?${new URLSearchParams(entries)}` : ''
}
