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
  const perform = <T>(work: () => T | Promise<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      const run = () => {
        const failure = weather.failure()
        if (failure === 'before') return reject(lost())
        const { start } = model
        const answer = (settle: () => void) => {
          if (failure === 'after' || start !== model.start) settle = () => reject(lost())
          if (!weather.isAnsweredApart()) return settle()
          schedule.at(schedule.now + weather.latency(), worker, settle)
        }
        try {
          const result = work()
          if (!(result instanceof Promise)) return answer(() => resolve(result))
          result.then(
            (value) => answer(() => resolve(value)),
            (error) => reject(error),
          )
        } catch (error) {
          reject(error)
        }
      }
      if (weather.isAtOnce()) run()
      else schedule.at(schedule.now + weather.latency(), worker, run)
    })
  const database = {
    model,
    perform,
    begin: <T>(body: (tx: never) => Promise<T>): Promise<T> =>
      perform(() => transaction(model, body as (tx: object) => Promise<T>, worker)),
  }
  return database as unknown as Database
}

const lost = (): DatabaseError => new DatabaseError('08006', 'the connection was lost')
