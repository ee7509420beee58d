import type { Transaction } from '../connect.ts'

/**
 * Lets exports of a batch into one folder run one after the other, over all processes; false while another one runs. The
 * lock lasts as long as the transaction, so it is released if the process dies.
 */
export const lockExport = async (tx: Transaction, batchId: bigint, folder: string): Promise<boolean> => {
  const [row] = await tx<{ locked: boolean }[]>`
    select pg_try_advisory_xact_lock(hashtextextended(${`vigia export ${folder}`}, ${batchId})) as locked`
  return row!.locked
}
