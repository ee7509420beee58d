import { z } from 'zod'
import { parseDuration } from '../src/domain/duration.ts'

const anyDuration = 'expected a duration such as "250ms", "30s", "5m", "24h" or "30d"'

/** A duration as people write it; it is parsed into milliseconds. */
export const durationSetting = z
  .string(anyDuration)
  .regex(/^\d{1,8}(ms|s|m|h|d)$/, anyDuration)
  .transform(parseDuration)
