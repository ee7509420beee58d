import { expect, test } from 'vitest'
import { z } from 'zod'
import { bigId, masked, maskedDocument, maskedName, moment, text, toView } from '../../src/views/fields.ts'

const shape = z.object({
  id: bigId.nullable(),
  at: moment,
  document: maskedDocument.nullable(),
  name: maskedName.nullable().describe('the name at the registry'),
  note: masked.describe('what a person wrote'),
  seen: text,
})

test('a field is masked by its kind, however it is described, unless unmasked documents were requested', () => {
  const row = {
    id: 7n,
    at: new Date(0),
    document: '12345678909',
    name: 'Ana Souza',
    note: 'de 123.456.789-09',
    seen: '12345678909',
  }
  const shown = { id: 7, at: '1970-01-01T00:00:00.000Z' }
  const hidden = '***.456.789-**'
  expect(toView(shape, row)).toEqual({
    ...shown,
    document: hidden,
    name: 'A*** So***',
    note: `de ${hidden}`,
    seen: hidden,
  })
  expect(toView(shape, row, true)).toEqual({ ...row, ...shown, document: '123.456.789-09' })
  expect(toView(shape, { ...row, id: null, document: null, name: null })).toMatchObject({
    id: null,
    document: null,
    name: null,
  })
})
