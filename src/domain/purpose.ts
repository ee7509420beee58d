import { maskDocuments } from './mask-documents.ts'

/** The legal bases on which documents are looked up. Each is an item of article 7 of the LGPD, which its label names. */
export const legalBases = [
  'credit',
  'contract',
  'legal-obligation',
  'legal-claims',
  'legitimate-interest',
  'consent',
] as const
export type LegalBasis = (typeof legalBases)[number]

export const longestPurpose = 200

/**
 * Reads a purpose: a legal basis, a text, or both as `basis: text`. Null: it is empty.
 *
 * Documents in it are masked, because lists and the audit log show it.
 */
export const readPurpose = (given: string | null | undefined): string | null => {
  const text = maskDocuments((given ?? '').replace(/[\s\p{Cc}]+/gu, ' ').trim())
  const { legalBasis, rest } = purposeParts(text)
  const purpose = legalBasis ? [legalBasis, rest].filter(Boolean).join(': ') : text
  return purpose.slice(0, longestPurpose) || null
}

/** Its legal basis, if it begins with one, and the text after that. */
export const purposeParts = (purpose: string): { legalBasis: LegalBasis | null; rest: string } => {
  const [, first = '', rest = ''] = /^([^:]*):?\s*(.*)$/s.exec(purpose) ?? []
  const legalBasis = legalBases.find((name) => name === first.trim().toLowerCase()) ?? null
  return { legalBasis, rest: legalBasis ? rest : purpose }
}

/** For people: the label of its legal basis, and its text. */
export const formatPurpose = (labels: Record<LegalBasis, string>, purpose: string): string => {
  const { legalBasis, rest } = purposeParts(purpose)
  return [legalBasis && labels[legalBasis], rest].filter(Boolean).join(': ')
}
