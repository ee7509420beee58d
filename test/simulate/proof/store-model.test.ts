import { expect, test } from 'vitest'
import { playSequences } from './play-sequences.ts'

/**
 * The same 200 each time; `npm run check:all` plays 10,000 new ones. A difference names its seed, which
 * STORE_SEQUENCES=1 STORE_SEED=… plays again.
 */
const { STORE_SEQUENCES, STORE_SEED } = process.env
const count = Number(STORE_SEQUENCES ?? 200)
const first = Number(STORE_SEED ?? (STORE_SEQUENCES ? Math.floor(Math.random() * 1_000_000) * 100_000 : 1))

test(`the model of the store answers ${count} random sequences of calls as PostgreSQL does, from seed ${first}`, async () => {
  expect(await playSequences(first, first + count, 14)).toBeNull()
}, 1_200_000)
