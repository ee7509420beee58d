import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

/** A program of its own: its clocks and timers are those of the histories. */
const simulate = async (...options: string[]) => {
  const program = fileURLToPath(new URL('run.ts', import.meta.url))
  const child = spawn(process.execPath, [program, '--json', ...options])
  let output = ''
  child.stdout.on('data', (piece) => {
    output += piece
  })
  await once(child, 'close')
  return JSON.parse(output)
}

test('120 histories, the same on every machine, keep every promise', async () => {
  const { failures, histories, charges } = await simulate('--seed', '1', '--histories', '120')
  expect(failures).toEqual([])
  expect(histories).toBe(120)
  expect(charges).toBeGreaterThan(3_000)
})

test('a history is the same each time', async () => {
  const [one, other] = [
    await simulate('--seed', '7', '--histories', '3'),
    await simulate('--seed', '7', '--histories', '3'),
  ]
  const times = { ms: 0, processorMs: 0, perMinute: 0 }
  expect({ ...one, ...times }).toEqual({ ...other, ...times })
})
