import { expect, test } from 'vitest'
import { readAhead } from '../../../src/files/csv/read.ts'

test('the next one is asked for while the last is in use, and no more than that', async () => {
  const asked: number[] = []
  const seen: number[][] = []
  async function* source() {
    for (let n = 1; n <= 3; n++) {
      asked.push(n)
      yield n
    }
  }
  for await (const n of readAhead(source())) seen.push([n, asked.length])
  expect(seen).toEqual([
    [1, 2],
    [2, 3],
    [3, 3],
  ])
})

test('a failure comes after what was read before it', async () => {
  async function* source() {
    yield 'good'
    throw new Error('bad')
  }
  const read: string[] = []
  const all = async () => {
    for await (const each of readAhead(source())) read.push(each)
  }
  await expect(all()).rejects.toThrow('bad')
  expect(read).toEqual(['good'])
})

test('whoever stops early lets go of the source', async () => {
  let isClosed = false
  async function* source() {
    try {
      yield* [1, 2, 3]
    } finally {
      isClosed = true
    }
  }
  for await (const _ of readAhead(source())) break
  expect(isClosed).toBe(true)
})
