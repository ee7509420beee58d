import { expect, test } from 'vitest'
import { playSequences } from './play-sequences.ts'

test('the model of the store answers 200 random sequences of calls as PostgreSQL does', async () => {
  expect(await playSequences(1, 201, 14)).toBeNull()
})
