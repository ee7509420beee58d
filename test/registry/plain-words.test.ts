import { expect, test } from 'vitest'
import { plainWords } from '../../src/registry/loose.ts'
import { documents, spellings, toldBy } from '../security/canaries.ts'

test('words from outside lose every document, however it is written', () => {
  for (const document of documents) {
    for (const spell of spellings) {
      const words = plainWords(`the document "${spell(document)}" is not known`)
      expect(words).toMatch(/^the document "+\*\*\*"+ is not known$/)
      expect(toldBy(words, { documents, secrets: [] })).toEqual([])
    }
  }
})

test('words from outside keep what is no document', () => {
  for (const words of ['AGUARDANDO2026', 'WAITING_FOR_REVIEW', 'lote 2026-11 de 1.234 itens', 'R$ 1.234.567,80'])
    expect(plainWords(words)).toBe(words)
})
