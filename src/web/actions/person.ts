import { type Document, readDocument } from '../../domain/document.ts'
import { Refusal } from '../../operations/refusal.ts'

/** The document that a person typed; an error never repeats it. */
export const documentIn = (text: string): Document => {
  const parsed = readDocument(text.slice(0, 64))
  if ('refused' in parsed) throw new Refusal(422, 'wrong_request', ['no_document', parsed.detail])
  return parsed.document
}
