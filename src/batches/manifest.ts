import type { Batch } from '../store/batches/batches.ts'
import type { Sql } from '../store/connect.ts'
import { callsOf, countUnknownCharges } from '../store/lookups/lookups.ts'
import { isAnswered, spendOf } from '../views/batch-status.ts'
import { iso } from '../views/fields.ts'
import type { WrittenFile } from './atomic-file.ts'
import { layoutOf } from './layout.ts'

type Counted = {
  /** Whether no file has an open row. */
  complete: boolean
  lost: number
  spend: Spend
  now: Date
}

/** In units. `open` are calls under way; `unknown` are the charged calls with an unknown outcome. */
export type Spend = { charged: number; open: number; unknown: number; limit: number | null }

/** `workbook` if the report was also written as one. */
type ManifestFiles = Record<'report' | 'rejects', WrittenFile> & { workbook?: WrittenFile }

/** The summary of a batch: its input, the outcome of its rows, its cost, and the files that were written. */
export const manifestOf = (
  batch: Batch,
  states: Map<string, number>,
  files: ManifestFiles,
  { now, complete, lost, spend }: Counted,
) => ({
  batch: Number(batch.id),
  name: batch.name,
  kind: batch.kind,
  organization: Number(batch.organizationId),
  state: batch.state,
  complete,
  rows: batch.rows,
  /** Documents of all rows, which the states add up to: as many as rows, unless each row is asked about several. */
  total: batch.rows * batch.documentsPerRow,
  states: Object.fromEntries([...states].sort()) as Record<string, number>,
  unanswered: unanswered(states),
  blankLines: batch.blankLines,
  /** Characters of the answers that the encoding of the input lacks; each was written as `?`. */
  lostCharacters: lost,
  spend,
  times: {
    submitted: iso(batch.createdAt),
    imported: iso(batch.importedAt),
    started: iso(batch.startedAt),
    finished: iso(batch.finishedAt),
    exported: iso(now),
  },
  input: { fileName: batch.fileName, sha256: batch.sha256, dialect: layoutOf(batch).dialect },
  files,
})

export type Manifest = ReturnType<typeof manifestOf>

export const readSpend = async (tx: Sql, batch: Batch): Promise<Spend> => {
  const { charged, open, limit } = spendOf(batch, await callsOf(tx, batch.id))
  return { charged, open, unknown: Math.max(0, (await countUnknownCharges(tx, batch.id)) - open), limit }
}

/** Rows that were asked and have no answer; "not found" is an answer. */
const unanswered = (states: Map<string, number>): number =>
  [...states].reduce((sum, [state, rows]) => (isAnswered(state) ? sum : sum + rows), 0)
