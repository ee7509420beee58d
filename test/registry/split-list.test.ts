import { fc, test } from '@fast-check/vitest'
import { expect } from 'vitest'
import { createListSplitter } from '../../src/registry/split-list.ts'

const piecesOf = (bytes: Buffer, cuts: number[]): Buffer[] => {
  const places = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b)
  return [...places, bytes.length].map((end, i) => bytes.subarray(i === 0 ? 0 : places[i - 1]!, end))
}

const split = (text: string, cuts: number[]) => {
  const splitter = createListSplitter('result')
  const items = piecesOf(Buffer.from(text), cuts).flatMap((piece) => splitter.push(piece))
  return { items: items.map((item) => JSON.parse(item)), rest: JSON.parse(splitter.rest()) }
}

const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom('"result":[', '],"x":[', '\\"', '}', 'ção', '😀'),
)
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    text,
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('any'), { maxLength: 3 }),
    fc.dictionary(text, tie('any'), { maxKeys: 3 }),
  ),
})).any

test.prop([
  fc.array(value, { maxLength: 6 }),
  fc.dictionary(
    text.filter((key) => key !== 'result' && key !== '__proto__'),
    value,
    { maxKeys: 3 },
  ),
  fc.oneof(fc.array(fc.nat(), { maxLength: 12 }), fc.constant(Array.from({ length: 2_000 }, (_, at) => at))),
  fc.constantFrom(undefined, 1, '\t'),
])(
  'gives every item of the list and the rest of the body, wherever the pieces are cut',
  (result, others, cuts, space) => {
    const [before, after] = [Object.entries(others).slice(0, 1), Object.entries(others).slice(1)]
    const body = Object.fromEntries([...before, ['result', result], ...after])
    const plain = JSON.parse(JSON.stringify(body))

    const { items, rest } = split(JSON.stringify(body, null, space), cuts)

    expect(items).toEqual(plain.result)
    expect(rest).toEqual({ ...plain, result: [] })
  },
)

test('a body without the list is returned unchanged', () => {
  expect(split('{"message":"denied","errors":[1,{"result":[2]}]}', [3, 20])).toEqual({
    items: [],
    rest: { message: 'denied', errors: [1, { result: [2] }] },
  })
})
