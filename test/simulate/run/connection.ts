import type { Database } from '../../../src/store/connect.ts'
import { DatabaseError, type ModelDatabase } from '../store/database.ts'
import { transaction } from '../store/handle.ts'
import type { Actor, Schedule } from '../time/schedule.ts'

/** How the statements of a worker fare at this moment. */
export type Weather = {
  /** The statement happens at once, within the step that asks for it. */
  isAtOnce(): boolean
  latency(): number
  /** The answer comes by itself, after the statement: a crash or a pause may lie between. */
  isAnsweredApart(): boolean
  /** Fails before it happens, or after; null where nothing fails. */
  failure(): 'before' | 'after' | null
}

/** A worker's connection to the database of a history. */
export const connectTo = (schedule: Schedule, model: ModelDatabase, worker: Actor, weather: Weather): Database => {
  const pause = (): Promise<void> =>
    new Promise((resolve) => void schedule.at(schedule.now + weather.latency(), worker, resolve))
  const perform = async <T>(work: () => T | Promise<T>): Promise<T> => {
    if (!weather.isAtOnce()) await pause()
    const failure = weather.failure()
    if (failure === 'before') throw lost()
    const { start } = model
    const made = work()
    const result = made instanceof Promise ? await made : made
    const isLost = failure === 'after' || start !== model.start
    if (weather.isAnsweredApart()) await pause()
    if (isLost) throw lost()
    return result
  }
  const database = {
    model,
    perform,
    begin: <T>(body: (tx: never) => Promise<T>): Promise<T> =>
      perform(() => transaction(model, body as (tx: object) => Promise<T>, worker)),
  }
  return database as unknown as Database
}

const lost = (): DatabaseError => new DatabaseError('08006', 'the connection was lost')
