import type { Submission } from '../../src/batches/submit.ts'

/** A file as a command submits it: analyses without a limit, unless something else is given. */
export const submissionOf = (
  text: string | Uint8Array,
  organizationId: number,
  options: Partial<Submission>,
): Submission => ({
  bytes: (async function* () {
    yield Buffer.from(text)
  })(),
  fileName: 'people.csv',
  organizationId,
  kind: 'analysis',
  source: 'cli',
  by: 'test',
  maxSpend: null,
  confirmAbove: null,
  encoding: 'utf8',
  spreadsheets: false,
  freshSince: new Date(Date.now() - 30 * 86_400_000),
  ...options,
})
