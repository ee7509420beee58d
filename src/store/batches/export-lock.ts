import type { Transaction } from '../connect.ts'

/**
 * Lets exports of a batch into one folder follow each other, over all processes; false while another is at it. The lock
 * lives as long as the transaction, and so dies with whoever exports.
 */
export const lockExport = async (tx: Transaction, batchId: bigint, folder: string): Promise<boolean> => {
  const [row] = await tx<{ locked: boolean }[]>`
    select pg_try_advisory_xact_lock(hashtextextended(${`vigia export ${folder}`}, ${batchId})) as locked`
  return row!.locked
}
