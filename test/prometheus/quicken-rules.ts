import { parseDuration } from '../../src/domain/duration.ts'

/**
 * The very rules that are given to people, with every time in them divided by a factor: how long a cause must last
 * (`for: 5m`), and the seconds that a figure of age is compared with (`vigia_lane_held_seconds … > 3600`). Nothing else
 * is touched; a time that is written otherwise, and would stay as long as it is, is an error.
 */
export const quickenRules = (rules: string, factor: number): string =>
  rules
    .split('\n')
    .map((line) => {
      if (/^\s*for: /.test(line)) return line.replace(/\d+[smhd]$/, (time) => shortened(time, factor))
      if (!/^\s*expr: .*_seconds\b/.test(line)) return line
      if (!comparison.test(line)) throw new Error(`No seconds to divide in ${line.trim()}`)
      return line.replace(comparison, (_, sign, seconds) => `${sign} ${Number(seconds) / factor}`)
    })
    .join('\n')

const comparison = /(>=?) (\d+)$/

const shortened = (time: string, factor: number): string => `${Math.ceil(parseDuration(time) / factor)}ms`
