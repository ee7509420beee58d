import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const program = `
  const { getHeapSpaceStatistics } = await import('node:v8')
  const { keepHeapLean } = await import(${JSON.stringify(new URL('../../src/cli/lean-heap.ts', import.meta.url))})
  const young = () => getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space').space_size / 1024 / 1024
  keepHeapLean()
  const sizes = [young()]
  const kept = []
  for (let n = 0; n < 1_000_000; n++) kept.push({ n })
  sizes.push(young())
  console.log(JSON.stringify(sizes))`

test('the young generation grows once, to eight MiB, and no further, however many objects survive', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program])
  expect(JSON.parse(stdout)).toEqual([8, 8])
})
