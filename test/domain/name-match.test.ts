import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compareNames } from '../../src/domain/name-match.ts'

test.each([
  ['Ana Souza', 'Ana Souza', 'same', 'exact'],
  ['ANA  SOUZA', 'Ana Souza', 'same', 'folded'],
  ['Joao Conceicao', 'João da Conceição', 'same', 'folded'],
  ['Lima Tecidos', 'LIMA TECIDOS LTDA - ME', 'same', 'legal_form'],
  ['Rocha Logística S/A', 'Rocha Logistica S.A.', 'same', 'folded'],
  ['Rocha Logística', 'Rocha Logistica S.A.', 'same', 'legal_form'],
  ['Souza, Ana', 'Ana Souza', 'same', 'order'],
  ['Ana Souza', 'Ana Maria de Souza', 'similar', 'abbreviated'],
  ['Ana M. Souza', 'Ana Maria Souza', 'similar', 'abbreviated'],
  ['Ana Sousa', 'Ana Souza', 'similar', 'typing'],
  ['Ana Suoza', 'Ana Souza', 'similar', 'typing'],
  ['Ana Souza', 'Bruno Souza', 'different', 'parts'],
  ['Ana', 'Ana Souza', 'different', 'parts'],
  ['Ana', 'Eva', 'different', 'parts'],
  ['Lima Tecidos Ltda', 'Lima Alimentos Ltda', 'different', 'parts'],
])('%s and %s: %s, by %s', (given, registered, match, rule) => {
  expect(compareNames(given, registered)).toEqual({ match, rule })
})

test('a name without a letter or digit is not compared', () => {
  expect([compareNames('', 'Ana'), compareNames('-', 'Ana'), compareNames('Ana', ' ')]).toEqual([null, null, null])
})

const part = fc.stringMatching(/^[A-Za-zÀ-ÖØ-öø-ÿ]{3,12}$/)
const name = fc.array(part, { minLength: 2, maxLength: 5 })

test('case, accents, legal forms and order never make a name another one', () => {
  fc.assert(
    fc.property(name, fc.constantFrom('', ' LTDA', ' S.A.', ' Eireli', ' ME'), fc.boolean(), (parts, form, turned) => {
      const folded = parts.map((each) => each.normalize('NFD').replace(/\p{M}/gu, '').toUpperCase())
      const changed = `${(turned ? folded.reverse() : folded).join('  ')}${form}`
      expect(compareNames(parts.join(' '), changed)?.match).toBe('same')
    }),
  )
})

test('the comparison is the same in both directions, and takes no time on long texts', () => {
  const text = fc.oneof(
    name.map((parts) => parts.join(' ')),
    fc.string({ maxLength: 60 }),
  )
  fc.assert(
    fc.property(text, text, (one, other) => {
      expect(compareNames(one, other)).toEqual(compareNames(other, one))
    }),
  )
  const began = performance.now()
  compareNames('a '.repeat(500_000), `b${'a.'.repeat(500_000)}`)
  expect(performance.now() - began).toBeLessThan(1_000)
})

test('a name that lacks a part, or has a letter wrong, is similar', () => {
  fc.assert(
    fc.property(fc.uniqueArray(part, { minLength: 3, maxLength: 5, selector: (w) => w.toUpperCase() }), (parts) => {
      const match = compareNames(parts.slice(1).join(' '), parts.join(' '))?.match
      expect(['same', 'similar']).toContain(match)
    }),
  )
})
