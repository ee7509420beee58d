import { maskDocument, readDocument } from './document.ts'

/** A cell that is meant as a document, mistyped or not: enough to recognise it, not enough to know it. */
export const maskCell = (cell: string): string => {
  const reading = readDocument(cell)
  if ('document' in reading) return maskDocument(reading.document.number)
  const digits = cell.match(/\d/g)?.length ?? 0
  if (digits < 7) return cell
  let seen = 0
  return cell.replace(/\d/g, (digit) => {
    seen++
    return seen <= 3 || seen > digits - 2 ? '*' : digit
  })
}
