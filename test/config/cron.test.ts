import { expect, test } from 'vitest'
import { isCron } from '../../config/config-file.ts'

test.each(['* * * * *', '0 2 * * *', '*/10 * * * *', '30 3 1,15 * 1-5', '0-30/5 0 31 12 7'])(
  '%s is a schedule',
  (text) => {
    expect(isCron(text)).toBe(true)
  },
)

test.each([
  '',
  '0 2 * *',
  '0 2 * * * *',
  '60 * * * *',
  '* 24 * * *',
  '* * 0 * *',
  '* * * 13 *',
  '5-1 * * * *',
  '*/0 * * * *',
  'daily',
])('"%s" is not a schedule', (text) => expect(isCron(text)).toBe(false))
