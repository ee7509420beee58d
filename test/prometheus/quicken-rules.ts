import { parseDuration } from '../../src/domain/duration.ts'

/**
 * The published rules with every time in them divided by a factor: how long a cause must last (`for: 5m`), and the seconds
 * that an age is compared with (`vigia_lane_held_seconds … > 3600`). Nothing else is changed; a time in another form, which
 * would stay as it is, is an error.
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
