import type { Batch } from '../../store/batches.ts'
import type { Sql } from '../../store/connect.ts'
import { countsOf } from '../../store/counts.ts'
import { type Exposure, type RiskTotals, readExposures, readRiskTotals } from '../../store/risk-view.ts'

export type Risk = { totals: RiskTotals; exposures: Exposure[] }

const remembered = 20

/**
 * Adds up the answers of a batch, and remembers the last few sums: a million answers take seconds to add up, and they
 * change only when another row is answered.
 */
export const createRiskDesk = (sql: Sql) => {
  const sums = new Map<string, Promise<Risk>>()
  return {
    async read({ id }: Batch, position: number): Promise<Risk> {
      const { ok = 0 } = await countsOf(sql, id)
      const key = `${id}/${position}/${ok}`
      const known = sums.get(key) ?? add(sql, id, position)
      sums.delete(key)
      sums.set(key, known)
      known.catch(() => sums.delete(key))
      for (const oldest of sums.keys()) if (sums.size > remembered) sums.delete(oldest)
      return known
    },
  }
}

const add = async (sql: Sql, id: bigint, position: number): Promise<Risk> => {
  const [totals, exposures] = await Promise.all([readRiskTotals(sql, id), readExposures(sql, id, position, 50)])
  return { totals, exposures }
}
