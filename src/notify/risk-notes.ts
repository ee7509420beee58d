import type { NotificationContext } from './notification.ts'

/** The documents of a batch at risk and, in cents, by how much. */
export type TotalsAtRisk = { documents: number; atRisk: number; cents: string | null }

export const riskNotes = (risk: TotalsAtRisk | null, { labels, format }: NotificationContext): string[] => {
  if (risk === null || risk.documents === 0) return []
  const amount = risk.atRisk > 0 && risk.cents !== null ? format.cents(BigInt(risk.cents)) : null
  return [labels.risk(format.count(risk.atRisk), format.count(risk.documents), amount)]
}
