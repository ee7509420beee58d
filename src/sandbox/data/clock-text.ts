import type { DateShape } from '../world.ts'

/** A moment in one of the shapes that occur; `offsetMs` is that of the wall on which the writer's clock hangs. */
export function dateText(at: number, shape: DateShape, offsetMs: number): string | number | undefined {
  if (shape === 'none') return undefined
  if (shape === 'epoch') return at
  if (shape === 'zoned') return isoDateTime(at)
  const local = isoDateTime(at + offsetMs)
  if (shape === 'zoneless') return local.slice(0, 19)
  if (shape === 'day') return local.slice(0, 10)
  const day = `${local.slice(8, 10)}/${local.slice(5, 7)}/${local.slice(0, 4)}`
  return shape === 'brazilianDay' ? day : `${day} ${local.slice(11, 19)}`
}

/** ISO 8601 with zone. Many answers share a millisecond, and this text is the dearest part of a small one. */
function isoDateTime(at: number): string {
  if (at !== latest.at) latest = { at, text: new Date(at).toISOString() }
  return latest.text
}

let latest = { at: Number.NaN, text: '' }
