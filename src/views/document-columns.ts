import { shownText } from './fields.ts'

type Read = { columns?: { several?: { name: string }[] } } | null

/** What each document of a row is called, in the order of its parts; none where a row has one. */
export const documentColumns = ({ layout }: { layout: unknown }): string[] =>
  ((layout as Read)?.columns?.several ?? []).map(({ name }) => shownText(name))

/** The column of one of several documents of a row. */
export const columnOfPart = (batch: { layout: unknown }, part: number): string | null =>
  documentColumns(batch)[part] ?? null
