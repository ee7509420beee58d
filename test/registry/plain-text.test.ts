import { expect, test } from 'vitest'
import { plainText } from '../../src/registry/loose.ts'
import { documents, leakedBy, spellings } from '../security/canaries.ts'

test('text from outside loses every document, however it is written', () => {
  for (const document of documents) {
    for (const spell of spellings) {
      const masked = plainText(`the document "${spell(document)}" is not known`)
      expect(masked).toMatch(/^the document "+\*\*\*"+ is not known$/)
      expect(leakedBy(masked, { documents, secrets: [] })).toEqual([])
    }
  }
})

test('text from outside keeps everything that is not a document', () => {
  for (const text of ['AGUARDANDO2026', 'WAITING_FOR_REVIEW', 'lote 2026-11 de 1.234 itens', 'R$ 1.234.567,80'])
    expect(plainText(text)).toBe(text)
})
