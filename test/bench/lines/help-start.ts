import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import type { Line } from '../line.ts'
import { median } from '../outcome.ts'

const vigia = resolve(import.meta.dirname, '../../../src/cli/vigia.js')

export const helpStart: Line = {
  name: 'help',
  what: 'vigia --help ÷ a bare start of Node',
  unit: 'ms',
  goal: { atMost: 3 },

  async round({ sizes }) {
    timeOf([vigia, '--help'])
    const pairs = Array.from({ length: sizes.starts }, () => [timeOf(['-e', '0']), timeOf([vigia, '--help'])] as const)
    return { limit: median(pairs.map(([bare]) => bare)), vigia: median(pairs.map(([, help]) => help)) }
  },
}

const timeOf = (args: string[]): number => {
  const began = performance.now()
  const { status, stderr } = spawnSync(process.execPath, args)
  if (status !== 0) throw new Error(`node ${args.join(' ')} ended with ${status}: ${stderr}`)
  return performance.now() - began
}
