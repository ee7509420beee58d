import type { Batch } from '../../store/batches.ts'
import type { Database } from '../../store/connect.ts'
import { countsOf } from '../../store/counts.ts'
import { type Exposure, readExposures } from '../../store/exposures.ts'
import { addUpTotals, type RiskTotals, readKeptTotals } from '../../store/risk-view.ts'

const shown = 50

/** The risk of a batch: its sums are kept once its report is written, anything else is found out when it is asked for. */
export const createRiskDesk = (sql: Database) => {
  const sums = remember<RiskTotals>()
  const tops = remember<Exposure[]>()
  const answered = async ({ id }: Batch) => (await countsOf(sql, id)).ok ?? 0
  return {
    async totals(batch: Batch): Promise<RiskTotals> {
      const kept = await readKeptTotals(sql, batch.id)
      return kept ?? sums(`${batch.id}/${await answered(batch)}`, () => addUpTotals(sql, batch.id))
    },
    async exposures(batch: Batch, position: number): Promise<Exposure[]> {
      const key = `${batch.id}/${await answered(batch)}/${position}`
      return tops(key, () => readExposures(sql, batch.id, position, shown))
    },
  }
}

const remembered = 20

/** The last few results: a million answers take a while, and change only when another row is answered. */
const remember = <T>() => {
  const results = new Map<string, Promise<T>>()
  return (key: string, find: () => Promise<T>): Promise<T> => {
    const known = results.get(key) ?? find()
    results.delete(key)
    results.set(key, known)
    known.catch(() => results.delete(key))
    for (const oldest of results.keys()) if (results.size > remembered) results.delete(oldest)
    return known
  }
}
