import { expect, test } from 'vitest'
import { plainText } from '../../src/registry/loose.ts'
import { documents, leakedBy, spellings } from '../security/canaries.ts'

test('words from outside lose every document, however it is written', () => {
  for (const document of documents) {
    for (const spell of spellings) {
      const labels = plainText(`the document "${spell(document)}" is not known`)
      expect(labels).toMatch(/^the document "+\*\*\*"+ is not known$/)
      expect(leakedBy(labels, { documents, secrets: [] })).toEqual([])
    }
  }
})

test('words from outside keep what is no document', () => {
  for (const labels of ['AGUARDANDO2026', 'WAITING_FOR_REVIEW', 'lote 2026-11 de 1.234 itens', 'R$ 1.234.567,80'])
    expect(plainText(labels)).toBe(labels)
})
