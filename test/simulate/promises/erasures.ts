import { Violation } from '../run/violation.ts'
import type { WatchContext } from '../run/witness.ts'
import { personKeyOf } from '../store/person-key.ts'
import { isErased } from '../store/rules.ts'
import type { PurchaseRecord } from '../store/tables.ts'

/** Who was erased stays erased, until they are asked about anew: nothing names them, and no answer about them is left. */
export const createErasureWatch = ({ historyOf, nameOf }: WatchContext) => {
  /** The newest look-up at that moment: later ones ask anew. */
  const erased = new Map<string, bigint>()
  /** Purchases that named them. What the registry lists later for the first time was never erased. */
  const emptied = new Set<PurchaseRecord>()
  let steps = 0

  const broken = (what: string): never => {
    throw new Violation('erased', what)
  }

  const check = (): void => {
    const { lookups, answers } = historyOf().model.tables
    const askedAnew = new Set<string>()
    for (const l of lookups.values()) {
      const upTo = erased.get(l.question)
      if (upTo !== undefined && l.id > upTo) askedAnew.add(l.question)
      else if (upTo !== undefined) broken(`look-up ${l.id} names document ${nameOf(l.question)}, which was erased`)
      if (!isErased(l)) continue
      const { documentType, label, remoteKey, seen, message, current } = l
      if (answers.has(l.id)) broken(`look-up ${l.id} has an answer though its person was erased`)
      if ((documentType ?? label ?? remoteKey ?? seen ?? message) !== null || current)
        broken(`look-up ${l.id} was written after its person was erased`)
    }
    for (const { document, remoteId } of emptied) {
      if (document !== '' && !askedAnew.has(document))
        broken(`purchase ${remoteId} names document ${nameOf(document)} again`)
    }
  }

  return {
    erased(document: string): void {
      const { lookups, purchases } = historyOf().model.tables
      erased.set(document, [...lookups.keys()].at(-1) ?? 0n)
      const key = personKeyOf(document)
      for (const purchase of purchases.values()) if (purchase.personKey === key) emptied.add(purchase)
      check()
    },
    /** A copy from before the erasure still has them. */
    rewound(): void {
      erased.clear()
      emptied.clear()
    },
    look(): void {
      if (erased.size > 0 && ++steps % 32 === 0) check()
    },
    end(): void {
      if (erased.size > 0) check()
    },
  }
}
