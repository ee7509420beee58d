import type { Sql } from '../../../src/store/connect.ts'

/** The queue of a history takes the transaction itself. */
export const inTransaction = (tx: Sql): { db: Sql } => ({ db: tx })
