import { connect } from '../../../src/store/connect.ts'
import { createDatabase } from '../../support/database.ts'
import { loadStores, playSequence } from './sequence.ts'

/** Rolled back rows stay in the tables until they are emptied. */
const emptyEvery = 200

/** Plays sequences on a database of its own; gives the first difference, or null. */
export const playSequences = async (from: number, to: number, length: number): Promise<string | null> => {
  const database = await createDatabase()
  const sql = connect(database.url, { max: 1, hasSession: true })
  try {
    await sql`insert into vigia.file (sha256) select 'file ' || i from generate_series(1, 3) as i`
    const stores = await loadStores(sql)
    for (let seed = from; seed < to; seed++) {
      const difference = await playSequence(sql, stores, seed, length)
      if (difference) return difference
      if ((seed - from) % emptyEvery === emptyEvery - 1) {
        await sql`truncate vigia.lookup, vigia.batch_row, vigia.intent_group, vigia.claim, vigia.purchase, vigia.list_snapshot, vigia.lane,
                           vigia.answer, vigia.batch_count, vigia.spending_day, vigia.sweep,
                           vigia.radar, vigia.suspicious_list, vigia.schedule cascade`
      }
    }
    return null
  } finally {
    await sql.end()
    await database.drop()
  }
}
