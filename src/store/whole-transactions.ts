import type { Database, Transaction } from './connect.ts'

type Body = (tx: Transaction) => unknown

/**
 * Lets nothing of a transaction happen after its connection is gone.
 *
 * postgres.js then gives up the transaction, but its body goes on, and its next statement would run by itself on the
 * connection that was opened anew: rows without their look-ups, units reserved for nothing.
 */
export const keepTransactionsWhole = (sql: Database): Database =>
  new Proxy(sql, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name)
      if (name !== 'begin') return member
      return (...values: unknown[]) => beginWhole(member as (...values: unknown[]) => Promise<unknown>, values)
    },
  })

const beginWhole = (begin: (...values: unknown[]) => Promise<unknown>, values: unknown[]): Promise<unknown> => {
  const body = values.pop() as Body
  let over = false
  const ended = begin(...values, (tx: Transaction) => body(refusingOnce(tx, () => over)))
  ended.catch(() => {
    over = true
  })
  return ended
}

const refusingOnce = (tx: Transaction, isOver: () => boolean): Transaction =>
  new Proxy(tx, {
    apply(target, self, values: unknown[]) {
      if (isOver()) throw new Error('The transaction is over: its connection was lost')
      return Reflect.apply(target as unknown as (...values: unknown[]) => unknown, self, values)
    },
    get(target, name) {
      if (isOver() && name === 'unsafe') throw new Error('The transaction is over: its connection was lost')
      return Reflect.get(target, name)
    },
  })
