import { describe, expect, test } from 'vitest'
import { english } from '../../src/domain/messages/english.ts'
import { englishValues } from '../../src/domain/messages/english-values.ts'
import {
  createFormatMessage,
  type Message,
  type MessageCode,
  type ValuesOf,
} from '../../src/domain/messages/message.ts'
import { portuguese } from '../../src/domain/messages/portuguese.ts'
import { portugueseValues } from '../../src/domain/messages/portuguese-values.ts'
import { labelFor } from '../../src/domain/messages/value-labels.ts'
import { englishTexts } from '../support/english-texts.ts'

const [one, other]: [Message, Message] = [
  ['text', 'Plano X'],
  ['text', 'Plano Y'],
]

/** Every code, with two sets of values that differ in each place. */
const examples: { [Code in MessageCode]: [ValuesOf<Code>, ValuesOf<Code>] } = {
  text: [['Plano X'], ['Plano Y']],
  intent: [[], []],
  inherited: [[], []],
  accepted: [['NEW'], [null]],
  answered: [[], []],
  not_ready: [['NEW'], [null]],
  adopted: [['listed'], [null]],
  adopted_elsewhere: [[], []],
  adopted_again: [[], []],
  adopted_by: [['ana'], ['rui']],
  sent_again_by: [['ana'], ['rui']],
  dropped_by: [['ana'], ['rui']],
  refused: [[one], [other]],
  not_sent: [[one], [other]],
  no_answer: [[one], [other]],
  held: [
    ['plan', one],
    ['outage', other],
  ],
  put_back: [[one], [other]],
  not_judged: [[one], [other]],
  parked: [[one], [other]],
  parked_late: [[], []],
  absent_once: [[], []],
  absent: [[], []],
  ended: [
    ['failed', one],
    ['not_found', other],
  ],
  gave_up: [
    [1, one],
    [3, other],
  ],
  timed_out: [[one], [other]],
  over_budget: [[], []],
  cancelled: [[], []],
  deadline: [[], []],
  worker_died: [[], []],
  sweep_over: [[], []],
  last_seen: [['NEW'], [null]],
  bought_before: [[], []],
  bought_elsewhere: [['15/11/2026'], [null]],
  stopped: [[], []],
  batch_spent: [[], []],
  day_spent: [[60], [61]],
  only_cpf: [[], []],
  lost_older: [[], []],
  lost_deleted: [[], []],
  lost_denied: [[], []],
  lost_shared: [[], []],
  lost_unknown: [[], []],
  lost_unproven: [[], []],
  refused_unproven: [[['text', 'x']], [['list_cut']]],
  died_thrice: [[], []],
  unstorable: [['22P05'], ['22003']],
  unexpected: [['TypeError'], ['RangeError']],
  no_judgement: [['ok'], ['later']],
  reader_gone: [[], []],
  not_written: [[], []],
  list_unread: [[one], [other]],
  list_busy: [[], []],
  list_bare: [[], []],
  list_cut: [[], []],
  list_empty: [[5], [6]],
  list_short: [
    [5, 10],
    [6, 11],
  ],
  never_asked: [[], []],
  held_by_hand: [[], []],
  unverified: [
    ['processes', 'timed_out'],
    ['analysis', 'plan_blocked'],
  ],
  unverified_held: [
    ['processes', 'plan'],
    ['analysis', 'outage'],
  ],
  unverified_late: [['processes'], ['analysis']],
  left_list: [[], []],
  erased: [[], []],
  sweep_lost: [[], []],
  failed_thrice: [['Cannot convert NULL to a BigInt'], ['no']],
  organization_gone: [[7001], [7002]],
  run_empty: [[], []],
  run_rejected: [[], []],
  run_batch_gone: [[], []],
  http: [
    ['GET /x', 500, 'InternalServerError'],
    ['GET /y', 502, ['body_html']],
  ],
  unauthorized: [
    ['GET /x', 401],
    ['GET /y', 403],
  ],
  token_refused: [
    ['GET /x', 401],
    ['GET /y', 403],
  ],
  refresh_refused: [['POST /x'], ['POST /y']],
  no_token: [[], []],
  call_not_sent: [
    ['GET /x', one],
    [null, other],
  ],
  call_no_answer: [
    ['GET /x', one],
    ['GET /y', other],
  ],
  outage: [
    ['GET /x', 3],
    ['GET /y', null],
  ],
  check_plan: [[one], [other]],
  check_access: [[one], [other]],
  new_token: [[one], [other]],
  too_many: [[], []],
  there_is_none: [[], []],
  no_reason: [[], []],
  body_empty: [[], []],
  body_html: [[], []],
  body_not_json: [[], []],
  body_undecodable: [[], []],
  body_misshapen: [['register.status'], [null]],
  other_document: [[], []],
  body_large: [[1000], [2000]],
  body_not_taken: [[], []],
  broken: [['ECONNRESET'], ['UND_ERR_SOCKET']],
  ms_passed: [[1000], [2000]],
  given_up: [[], []],
  given_up_waiting: [[], []],
  path_missing: [[], []],
  turn_late: [[], []],
  lane_held: [[], []],
  no_renewal: [[one], [other]],
  vault_silent: [[], []],
  cell_empty: [[], []],
  cell_bare: [[], []],
  cell_long: [[50], [60]],
  rounded: [[], []],
  not_document: [[], []],
  not_process: [[], []],
  digits: [[15], [16]],
  digits_short: [[2], [3]],
  digits_process: [[2], [3]],
  same_digit: [[11], [14]],
  ambiguous: [[7], [8]],
  other_type: [
    ['CPF', 'CNPJ'],
    ['CNPJ', 'CPF'],
  ],
  cpf_letters: [[], []],
  check_digits: [[11], [14]],
  check_characters: [[], []],
  letters_only: [[], []],
  letters: [[7], [8]],
  cnpj_end: [[], []],
  quotes: [[], []],
  cells: [
    [5, 4],
    [6, 3],
  ],
  sheets_differ: [[], []],
  in_sheet: [
    ['Base', one],
    ['Filial', other],
  ],
  at_line: [
    [2, one],
    [3, other],
  ],
  nul: [[], []],
  undecodable: [
    ['0xFF', 'utf-8'],
    ['0x81', 'windows-1252'],
  ],
  row_long: [
    [1000, 50],
    [2000, 60],
  ],
  many_rejects: [
    [9, 10, 90],
    [8, 11, 73],
  ],
  no_batch: [[7n], [8n]],
  report_overtaken: [[7n], [8n]],
  not_unconfirmed: [
    [7n, 'running'],
    [8n, 'done'],
  ],
  batch_over: [
    [7n, 'paused', 'done'],
    [8n, 'cancelled', 'rejected'],
  ],
  batch_already: [
    [7n, 'paused'],
    [8n, 'cancelled'],
  ],
  not_paused: [
    [7n, 'running'],
    [8n, 'done'],
  ],
  spent_more: [
    [7n, 5],
    [8n, 6],
  ],
  beyond_limit: [[7n], [8n]],
  costs_more: [
    [7n, 500, 100],
    [8n, 2, 1],
  ],
  not_retryable: [
    [7n, 'rejected'],
    [8n, 'unconfirmed'],
  ],
  not_imported: [[7n], [8n]],
  batch_rejected: [
    [7n, one],
    [8n, other],
  ],
  importing: [[7n], [8n]],
  no_line: [
    [7n, 2],
    [8n, 3],
  ],
  no_lookup_at: [
    [7n, 2],
    [8n, 3],
  ],
  no_lookup: [[7n], [8n]],
  lookup_not_parked: [
    [7n, 'ok'],
    [8n, 'queued'],
  ],
  lookup_settled: [[7n], [8n]],
  line_not_parked: [
    [2, 7n, 'ok'],
    [3, 8n, 'queued'],
  ],
  line_left: [
    [2, 7n, 9n],
    [3, 8n, 10n],
  ],
  line_settled: [
    [2, 7n],
    [3, 8n],
  ],
  buys_nothing: [['processes'], ['scr']],
  not_ours: [['91'], ['92']],
  not_listed: [
    ['91', '92, 93'],
    ['94', null],
  ],
  lane_free: [['7001/cnh'], ['7001/scr']],
  no_change: [[7n], [8n]],
  no_suspicious: [[7001], [7002]],
  sweep_runs: [
    ['radars', '2026-11-15T02:00:00.000Z', 4n],
    ['usage', '2026-11-16T02:00:00.000Z', 5n],
  ],
  call_underway: [[], []],
  no_document: [[one], [other]],
  no_portfolio: [['clients'], ['suppliers']],
  portfolio_exists: [['clients'], ['suppliers']],
  portfolio_name: [[], []],
  portfolio_every: [[], []],
  portfolio_kind: [['radar'], ['inactivation']],
  portfolio_empty: [[], []],
  rule_exists: [['Two more'], ['Gone']],
  rule_wrong: [[], []],
  no_rule: [[], []],
  portfolio_paused: [['clients'], ['suppliers']],
  portfolio_running: [['clients'], ['suppliers']],
  portfolio_document: [[], []],
  portfolio_not_paused: [['clients'], ['suppliers']],
  say_note: [[], []],
  say_how: [[], []],
  no_file: [[], []],
  field_after_file: [['maxSpend'], ['kind']],
  no_kind: [['"x"'], ['"y"']],
  no_encoding: [['"x"'], ['"y"']],
  no_format: [['"x"'], ['"y"']],
  no_language: [['"x"'], ['"y"']],
  no_organization: [['"x"'], ['"y"']],
  cut_number: [[], []],
  no_authorization: [[], []],
  no_purpose: [[], []],
  two_documents: [[], []],
  file_empty: [[], []],
  no_rows: [[], []],
  all_rejected: [[2], [3]],
  not_text: [['pdf'], ['rar']],
  unknown_separator: [['!'], ['#']],
  no_header: [['documento'], ['processo']],
  no_header_line: [[3], [4]],
  no_column: [
    ['documento', '"a"', '--column documento="a"'],
    ['processo', '"b"', null],
  ],
  several_columns: [
    ['"a", "b"', '--column documento="a"'],
    ['"c", "d"', '--column documento="c"'],
  ],
  duplicate_headers: [['"obs"'], ['"valor"']],
  many_columns: [
    [200_000, 2_000],
    [2_001, 2_002],
  ],
  parse_slow: [[60], [61]],
  parse_large: [[256], [257]],
  quarantined: [[2], [3]],
  unknown_header: [
    ['"Doc"', '"a"'],
    ['"CPF"', '"b"'],
  ],
  old_excel: [[], []],
  workbook_empty: [[], []],
  workbook_password: [[], []],
  binary_workbook: [[], []],
  open_document: [[], []],
  not_workbook: [['pdf'], ['text']],
  encrypted_part: [['a.xml'], ['b.xml']],
  overlapping_parts: [['a.xml'], ['b.xml']],
  forbidden_xml: [['a.xml'], ['b.xml']],
  workbook_large: [
    ['a.xml', 10, 'rows'],
    [['the_file'], 11, 'bytes'],
  ],
  workbook_damaged: [
    ['a.xml', ['checksum_wrong']],
    [['the_zip'], ['part_missing']],
  ],
  no_sheet: [[], []],
  unknown_sheet: [
    ['Plan1', '"Plan2"'],
    ['Plan3', '"Plan4"'],
  ],
  the_file: [[], []],
  the_zip: [[], []],
  the_workbook: [[], []],
  part_missing: [[], []],
  part_twice: [[], []],
  checksum_wrong: [[], []],
  packing_unusual: [[], []],
  not_utf8: [[], []],
  nul_inside: [[], []],
  ends_early: [[], []],
  other_root: [['worksheet'], ['sst']],
  tags_unmatched: [[], []],
  tag_malformed: [[], []],
  attribute_twice: [[], []],
  lone_ampersand: [[], []],
  rows_unordered: [[], []],
  cells_unordered: [[2], [3]],
  cell_contradicts: [[2], [3]],
  no_choice: [[7n], [8n]],
  no_upload: [[7n], [8n]],
  no_role: [['cor'], ['cep']],
  column_twice: [
    ['documento="A"', 'documento="B"'],
    ['nome="A"', 'nome="B"'],
  ],
  no_line_number: [[], []],
  no_document_type: [['RG'], ['CNH']],
  no_legal_basis: [
    ['"a"', 'credit'],
    ['"b"', 'consent'],
  ],
  no_number: [[], []],
}

const codes = Object.entries(examples) as [MessageCode, [unknown[], unknown[]]][]

describe.each([
  ['English', english],
  ['Portuguese', portuguese],
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
  expect(createFormatMessage(portuguese)([code, ...values] as Message)).not.toMatch(englishTexts)
})

const values = Object.entries(englishValues).flatMap(([table, labels]) =>
  Object.entries(labels).map(([code, text]) => ({ table: table as keyof typeof englishValues, code, text })),
)

test.each(values)('$code of $table has a label of its own in Portuguese', ({ table, code, text }) => {
  const label = labelFor(portugueseValues[table], code)
  expect(label).not.toMatch(englishTexts)
  if (code !== 'bytes') expect([code, text]).not.toContain(label)
})

test('no two kinds, amounts or statuses have the same label', () => {
  for (const tables of [englishValues, portugueseValues])
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
    for (const language of [english, portuguese])
      for (const value of message.slice(1)) expect(createFormatMessage(language)(message)).toContain(String(value))
})

test('a status that Vigia set has a label, the registry’s own is shown unchanged', () => {
  expect([
    createFormatMessage(english)(['not_ready', 'unlisted']),
    createFormatMessage(portuguese)(['not_ready', 'unlisted']),
  ]).toEqual(['not ready: not listed yet', 'ainda não está pronta: ainda não está na lista'])
  expect(createFormatMessage(portuguese)(['not_ready', 'NEW'])).toBe('ainda não está pronta: NEW')
})

test('a code that only a later version knows is shown unchanged', () => {
  const later = ['moon_is_full', 3, ['text', 'so it says']] as unknown as Message
  expect(createFormatMessage(portuguese)(later)).toBe('moon_is_full 3 so it says')
})
