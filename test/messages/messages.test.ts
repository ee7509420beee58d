import { describe, expect, test } from 'vitest'
import { enMessages } from '../../src/messages/en/messages.ts'
import {
  createFormatMessage,
  inEnglish,
  inPortuguese,
  type Message,
  type MessageCode,
} from '../../src/messages/message.ts'
import { ptBrMessages } from '../../src/messages/pt-BR/messages.ts'
import { term } from '../../src/messages/term.ts'
import { values } from '../../src/messages/values.ts'
import { englishTexts } from '../support/english-texts.ts'

const [one, other]: [Message, Message] = [
  ['text', 'Plano X'],
  ['text', 'Plano Y'],
]

const both = <Of>(one: Of, other: Of): [Of, Of] => [one, other]

/** Values that are codes themselves, so that a sentence shows their label: two sets that differ in each place. */
const examples: { [Code in MessageCode]?: [Values<Code>, Values<Code>] } = {
  accepted: both(['NEW'], [null]),
  not_ready: both(['NEW'], [null]),
  adopted: both(['listed'], [null]),
  held: both(['plan', one], ['outage', other]),
  ended: both(['failed', one], ['not_found', other]),
  last_seen: both(['NEW'], [null]),
  unverified: both(['processes', 'timed_out'], ['analysis', 'plan_blocked']),
  unverified_held: both(['processes', 'plan'], ['analysis', 'outage']),
  not_unconfirmed: both([7n, 'running'], [8n, 'done']),
  batch_over: both([7n, 'paused', 'done'], [8n, 'cancelled', 'rejected']),
  batch_already: both([7n, 'paused'], [8n, 'cancelled']),
  not_paused: both([7n, 'running'], [8n, 'done']),
  not_retryable: both([7n, 'rejected'], [8n, 'unconfirmed']),
  lookup_not_parked: both([7n, 'ok'], [8n, 'queued']),
  line_not_parked: both([2, 7n, 'ok'], [3, 8n, 'queued']),
  buys_nothing: both(['processes'], ['scr']),
  sweep_runs: both(['radars', '2026-11-15T02:00:00.000Z', 4n], ['usage', '2026-11-16T02:00:00.000Z', 5n]),
  not_text: both(['pdf'], ['rar']),
  no_header: both(['documento'], ['processo']),
  no_column: both(['documento', '"a"', '--column documento="a"'], ['processo', '"b"', null]),
  not_workbook: both(['pdf'], ['text']),
  workbook_large: both(['a.xml', 10, 'rows'], [['the_file'], 11, 'bytes']),
}

type Values<Code extends MessageCode> =
  Extract<Message, [Code, ...unknown[]]> extends [Code, ...infer Rest] ? Rest : never

const valuesOf = (code: MessageCode): [unknown[], unknown[]] => {
  const filled = (text: string) => Array.from({ length: enMessages[code].length }, (_, at) => `${text}${at}`)
  return examples[code] ?? [filled('x'), filled('y')]
}

const codes = (Object.keys(enMessages) as MessageCode[]).map((code) => [code, valuesOf(code)] as const)

describe.each([
  ['English', enMessages],
  ['Portuguese', ptBrMessages],
])('in %s', (_, language) => {
  const formatMessage = createFormatMessage(language)

  test.each(codes)('the text of %s uses each of its values', (code, [values, others]) => {
    const text = formatMessage([code, ...values] as Message)
    expect(text).not.toMatch(/undefined|null|\[object/)
    for (const at of values.keys())
      expect(formatMessage([code, ...values.with(at, others[at])] as Message), `value ${at}`).not.toBe(text)
  })
})

test.each(codes)('%s leaves no English in Portuguese', (code, [values]) => {
  expect(inPortuguese([code, ...values] as Message)).not.toMatch(englishTexts)
})

const labelled = Object.entries(values.en).flatMap(([table, labels]) =>
  Object.entries(labels).map(([code, text]) => ({ table: table as keyof typeof values.en, code, text })),
)

test.each(labelled)('$code of $table has a label of its own in Portuguese', ({ table, code, text }) => {
  const label = term(values['pt-BR'][table], code)
  expect(label).not.toMatch(englishTexts)
  if (code !== 'bytes') expect([code, text]).not.toContain(label)
})

test('no two kinds, amounts or statuses have the same label', () => {
  for (const tables of Object.values(values))
    for (const labels of Object.values(tables))
      expect(new Set(Object.values(labels)).size).toBe(Object.keys(labels).length)
})

test('a text that an earlier version stored instead of a code is shown unchanged', () => {
  const stored = [
    ['not_text', 'a gzip archive'],
    ['not_workbook', 'a picture'],
    ['workbook_large', 'the file', 9, 'characters in a cell'],
    ['workbook_damaged', 'the zip', 'row 2 has its cells out of order'],
    ['not_ready', 'not listed yet'],
    ['not_ready', 'constructor'],
  ] as unknown as Message[]
  for (const message of stored)
    for (const language of [enMessages, ptBrMessages])
      for (const value of message.slice(1)) expect(createFormatMessage(language)(message)).toContain(String(value))
})

test('a status that Vigia set has a label, the registry’s own is shown unchanged', () => {
  expect([inEnglish(['not_ready', 'unlisted']), inPortuguese(['not_ready', 'unlisted'])]).toEqual([
    'not ready: not listed yet',
    'ainda não está pronta: ainda não está na lista',
  ])
  expect(inPortuguese(['not_ready', 'NEW'])).toBe('ainda não está pronta: NEW')
})

test('a code that only a later version knows is shown unchanged', () => {
  const later = ['moon_is_full', 3, ['text', 'so it says']] as unknown as Message
  expect(inPortuguese(later)).toBe('moon_is_full 3 so it says')
})
