import type { Manifest } from '../batches/manifest.ts'
import { maskDocuments } from '../domain/mask-documents.ts'
import type { Batch } from '../store/batches/batches.ts'
import { addUpTotals, readKeptTotals } from '../store/batches/risk.ts'
import type { Sql } from '../store/connect.ts'
import { type NotifyContext, notifyPeople } from './notify-people.ts'

/** Notifies that the report of a batch is ready, and whether it was cancelled or all of its rows rejected. A batch that was reopened finishes again. */
export const notifyBatchDone = async (
  tools: NotifyContext,
  batch: Batch,
  manifest: Manifest,
  tx: Sql,
): Promise<boolean> => {
  const risk = await totalsAtRisk(tx, batch)
  const parked = manifest.states.unknown_outcome ?? 0
  return notifyPeople(
    tools,
    {
      key: `batch.done ${batch.id} ${batch.finishedAt?.toISOString()}`,
      about: 'batch.done',
      severity: parked > 0 || batch.state === 'rejected' ? 'warning' : 'info',
      body: { ...factsOf(batch), state: batch.state, unanswered: manifest.unanswered, parked, risk },
    },
    tx,
  )
}

/**
 * Notifies that a batch needs approval: it costs more than may be spent without one, or it was approved and now costs
 * more than was agreed to.
 */
export const notifyBatchWaits = (tools: NotifyContext, batch: Batch, tx?: Sql): Promise<boolean> => {
  const key = `batch.unconfirmed ${batch.id}${batch.startedAt ? ` ${batch.confirmAbove}` : ''}`
  return notifyPeople(tools, { key, about: 'batch.unconfirmed', severity: 'warning', body: factsOf(batch) }, tx)
}

/** What the documents of a batch of analyses risk, as text where a number could lose digits. */
export const totalsAtRisk = async (sql: Sql, { id, kind }: Pick<Batch, 'id' | 'kind'>) => {
  if (kind !== 'analysis') return null
  const { documents, atRisk, atRiskCents } = (await readKeptTotals(sql, id)) ?? (await addUpTotals(sql, id))
  return { documents, atRisk, cents: atRiskCents === null ? null : String(atRiskCents) }
}

/** The name of a file may contain a document. */
const factsOf = ({
  id,
  organizationId,
  name,
  kind,
  rows,
  rejected,
  toBePaid,
  maxSpend,
  spent,
  submittedBy,
}: Batch) => ({
  batch: Number(id),
  organization: Number(organizationId),
  name: maskDocuments(name),
  kind,
  rows,
  rejected,
  toBePaid,
  maxSpend,
  spent,
  by: submittedBy === null ? null : maskDocuments(submittedBy),
})
