/** What the registry says about a purchase when it accepts it, and may repeat with the answer. */
export type PurchaseFields = {
  /** The registry's own name for the document. */
  name: string | null
  /** How many court cases it expects. */
  estimated: number | null
  /** The organization's analysis of the document before this one. */
  previousId: string | null
}

/** What an answer holds beside its figures. */
export type AnswerFields = PurchaseFields & {
  /** Whether protests were searched; null if the registry did not say. */
  protestStatus: string | null
  plan: string | null
  protestId: string | null
  bucket: string | null
  folder: string | null
  fileName: string | null
  /** The address of the partial spreadsheet. */
  partial: string | null
  terms: string[]
  /** Everything else, as it was sent. */
  rest: Record<string, unknown> | null
}

/** The start of two addresses is the same, and is stored once. */
export const shortenAddress = (address: string, beside: string | null): string => {
  let same = 0
  while (beside !== null && same < address.length && address[same] === beside[same]) same++
  return `${same}:${address.slice(same)}`
}

export const fullAddress = (stored: string, beside: string | null): string => {
  const at = stored.indexOf(':')
  return `${beside?.slice(0, Number(stored.slice(0, at))) ?? ''}${stored.slice(at + 1)}`
}
