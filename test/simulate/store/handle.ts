import type { Sql } from '../../../src/store/connect.ts'
import { type ModelDatabase, type Undo, undoAll } from './database.ts'

/**
 * What stands where the code has its `sql`: a connection of one worker to the model, or a transaction on it.
 *
 * `perform` decides when a statement happens, and whether its answer arrives.
 */
export type Handle = {
  readonly model: ModelDatabase
  perform<T>(work: () => T): Promise<T>
  /** Of a transaction: what undoes it, its locks, and what it keeps in temporary tables. */
  undo?: Undo
  locks?: Set<string>
  temporary?: Map<string, unknown>
  /** Whose connection it is: its locks end with it. */
  owner?: object
}

/** A statement on whatever the code calls `sql`. */
export const on = <T>(sql: Sql, work: (database: ModelDatabase) => T): Promise<T> => {
  const { model, perform, undo } = handleOf(sql)
  return perform(() => model.statement(work, undo))
}

export const handleOf = (sql: Sql): Handle => sql as unknown as Handle

/** A connection on which every statement happens at once. */
export const directHandle = (model: ModelDatabase) => ({
  model,
  perform: async <T>(work: () => T): Promise<T> => work(),
  begin: <T>(body: (tx: Handle) => Promise<T>): Promise<T> => transaction(model, body),
})

/** Runs the body of a transaction, whose statements happen at once. */
export const transaction = async <T>(
  model: ModelDatabase,
  body: (tx: Handle) => Promise<T>,
  owner: object = model,
): Promise<T> => {
  const tx = {
    model,
    owner,
    perform: async <R>(work: () => R): Promise<R> => work(),
    undo: [] as Undo,
    locks: new Set<string>(),
    temporary: new Map<string, unknown>(),
  }
  try {
    return await body(tx)
  } catch (error) {
    undoAll(tx.undo)
    model.forget()
    throw error
  } finally {
    for (const lock of tx.locks) if (model.locks.get(lock) === tx) model.locks.delete(lock)
  }
}

/** The connections of a worker are gone, and so are their locks; without a worker, those of all. */
export const releaseLocks = (model: ModelDatabase, owner?: object): void => {
  for (const [name, tx] of [...model.locks]) {
    if (!owner || (tx as Handle).owner === owner) model.locks.delete(name)
  }
}
