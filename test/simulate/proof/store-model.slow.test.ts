import { expect, test } from 'vitest'
import { playSequences } from './play-sequences.ts'

/** Another range each time, so that `npm run check` sees new sequences; a difference names its seed. */
const seed = Number(process.env.STORE_SEED ?? Math.floor(Math.random() * 1_000_000) * 100_000)

test(`the model of the store answers 10,000 sequences of calls as PostgreSQL does, from seed ${seed}`, async () => {
  const parts = [0, 1, 2, 3].map((i) => playSequences(seed + i * 2_500, seed + (i + 1) * 2_500, 14))
  expect(await Promise.all(parts)).toEqual([null, null, null, null])
}, 600_000)
