import type { Visit } from '../visit.ts'

/** What a batch is called on the page: the name of its file. People name files after the documents in them. */
export const batchName = (
  { format }: Pick<Visit, 'format'>,
  { fileName, name }: { fileName?: string | null; name: string },
): string => format.text(fileName ?? name)
