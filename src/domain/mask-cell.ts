import { maskDocument, readDocument } from './document.ts'
import { maskDocuments } from './mask-documents.ts'

/** Masks a cell that is meant as a document, mistyped or not: enough remains to recognise it, not enough to know it. */
export const maskCell = (cell: string): string => {
  const parsed = readDocument(cell)
  if ('document' in parsed) return maskDocument(parsed.document.number)
  const text = maskDocuments(cell)
  const digits = text.match(/\d/g)?.length ?? 0
  if (digits < 7) return text
  const lastShown = Math.min(digits - 2, 3 + mostShown)
  let seen = 0
  return text.replace(/\d/g, (digit) => {
    seen++
    return seen <= 3 || seen > lastShown ? '*' : digit
  })
}

/** As many digits as the mask of a CPF shows, however many numbers the cell has. */
const mostShown = 6
