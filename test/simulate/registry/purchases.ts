import type { RegistryPlan } from '../plan/plan.ts'

export type Purchase = {
  id: number
  uniqueId: number
  kind: 'analysis' | 'cnh'
  document: string
  organizationId: number
  at: number
  visibleAt: number
  deletedAt: number | null
  /** From when on the next list lacks it, and only that one. */
  lapsesAt: number | null
  /** One of our calls made it. */
  isOurs: boolean
  /** When a request for it is answered with its data. */
  readyAt: number
  text: string | number | undefined
}

/** A moment as this registry writes it. */
export const writeDate = (at: number, { shape, zoneMs }: RegistryPlan['dates']): string | number | undefined => {
  if (shape === 'none') return undefined
  if (shape === 'zero') return 0
  if (shape === 'year1969') return '31/12/1969 21:00:00'
  if (shape === 'epoch') return at
  if (shape === 'seconds') return Math.floor(at / 1_000)
  if (shape === 'zoned') return new Date(at).toISOString()
  const local = new Date(at + zoneMs).toISOString()
  if (shape === 'zoneless') return local.slice(0, 19)
  if (shape === 'day') return local.slice(0, 10)
  const [first, second] = shape === 'monthFirst' ? [5, 8] : [8, 5]
  const day = `${local.slice(first, first + 2)}/${local.slice(second, second + 2)}/${local.slice(0, 4)}`
  return shape === 'brazilianDay' ? day : `${day} ${local.slice(11, 19)}`
}
