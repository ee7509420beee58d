import type { LooksLike, WorkbookAmount } from './value-labels.ts'

/**
 * A message as it is stored and compared: a code, and the values that belong to it.
 *
 * It is formatted when somebody reads it, in the language of the reader. Codes and the order of values are kept for
 * years: a new meaning gets a new code.
 */
export type Message =
  | PlainMessage

  // The history of a look-up, line by line. `seen` is the registry's status, or an OwnStatus.
  | ['intent']
  | ['inherited']
  | ['accepted', seen: string | null]
  | ['answered']
  | ['not_ready', seen: string | null]
  | ['adopted', seen: string | null]
  | ['adopted_elsewhere']
  | ['adopted_again']
  | ['adopted_by', who: string]
  | ['sent_again_by', who: string]
  | ['dropped_by', who: string]
  | ['refused', why: Message]
  | ['not_sent', why: Message]
  | ['no_answer', why: Message]
  | ['held', cause: string, why: Message]
  | ['put_back', why: Message]
  | ['not_judged', why: Message]
  | ['parked', why: Message]
  | ['parked_late']
  | ['absent_once']
  | ['absent']
  | ['ended', state: string, why: Message]
  | ['gave_up', tries: number, why: Message]
  | ['timed_out', why: Message]
  | ['over_budget']
  | ['cancelled']
  | ['deadline']
  | ['worker_died']
  | ['sweep_over']

  // Why a look-up ended, waits or was put back.
  | ['last_seen', seen: string | null]
  | ['bought_elsewhere', dated: string | null]
  | ['bought_before']
  | ['stopped']
  | ['batch_spent']
  | ['day_spent', units: number | null]
  | ['only_cpf']
  | ['lost_older']
  | ['lost_deleted']
  | ['lost_denied']
  | ['lost_shared']
  | ['lost_unknown']
  | ['lost_unproven']
  | ['refused_unproven', why: Message]
  | ['died_thrice']
  | ['unstorable', code: string]
  | ['unexpected', error: string]
  | ['no_judgement', outcome: string]
  | ['reader_gone']
  | ['not_written']
  | ['list_unread', why: Message]
  | ['list_busy']
  | ['list_bare']
  | ['list_cut']
  | ['list_empty', known: number]
  | ['list_short', missing: number, known: number]
  | ['never_asked']
  | ['held_by_hand']
  | ['unverified', kind: string, state: string]
  | ['unverified_held', kind: string, cause: string]
  | ['unverified_late', kind: string]
  | ['left_list']
  | ['erased']

  // Why a sweep, or the run of a portfolio, was given up.
  | ['sweep_lost']
  | ['failed_thrice', error: string]
  | ['organization_gone', organization: number]
  | ['run_empty']
  | ['run_rejected']
  | ['run_batch_gone']

  // What went wrong in a call to the registry. The registry's own text stays as it was sent.
  | ['http', endpoint: string, status: number, what: string | Message | null]
  | ['unauthorized', endpoint: string, status: number]
  | ['token_refused', endpoint: string, status: number]
  | ['refresh_refused', endpoint: string]
  | ['no_token']
  | ['call_not_sent', endpoint: string | null, why: Message]
  | ['call_no_answer', endpoint: string, why: Message]
  | ['outage', endpoint: string, seconds: number | null]
  | ['check_plan', what: Message]
  | ['check_access', what: Message]
  | ['new_token', what: Message]
  | ['too_many']
  | ['there_is_none']
  | ['no_reason']
  | ['body_empty']
  | ['body_html']
  | ['body_not_json']
  | ['body_undecodable']
  | ['body_misshapen', path: string | null]
  | ['other_document']
  | ['body_large', bytes: number]
  | ['body_not_taken']
  | ['broken', error: string]
  | ['ms_passed', ms: number]
  | ['given_up']
  | ['given_up_waiting']
  | ['path_missing']
  | ['turn_late']
  | ['lane_held']
  | ['no_renewal', why: Message]
  | ['vault_silent']

  // What is wrong with a row of a file, or with the file.
  | ['cell_empty']
  | ['cell_bare']
  | ['cell_long', characters: number]
  | ['rounded']
  | ['not_document']
  | ['not_process']
  | ['digits', digits: number]
  | ['digits_short', digits: number]
  | ['digits_process', digits: number]
  | ['same_digit', digits: number]
  | ['ambiguous', digits: number]
  | ['other_type', given: string, fits: string]
  | ['cpf_letters']
  | ['check_digits', digits: number]
  | ['check_characters']
  | ['letters_only']
  | ['letters', characters: number]
  | ['cnpj_end']
  | ['quotes']
  | ['cells', cells: number, header: number]
  | ['at_line', line: number, what: Message]
  | ['nul']
  | ['undecodable', byte: string, encoding: string]
  | ['row_long', bytes: number, columns: number]
  | ['many_rejects', rejected: number, rows: number, percent: number]
  | ['cut_number']
  | ['two_documents']
  | ['no_authorization']
  | ['no_purpose']
  | ['file_empty']
  | ['no_rows']
  | ['all_rejected', rows: number]
  | ['not_text', looksLike: LooksLikeOrText]
  | ['unknown_separator', mark: string]
  | ['no_header', role: string]
  | ['no_header_line', line: number]
  | ['no_column', role: string, header: string, offers: string | null]
  | ['several_columns', columns: string, offers: string]
  | ['duplicate_headers', names: string]
  | ['unknown_header', wanted: string, header: string]
  | ['many_columns', columns: number, most: number]
  | ['parse_slow', seconds: number]
  | ['parse_large', mebibytes: number]
  | ['quarantined', deaths: number]

  // Why a workbook cannot be read.
  | ['old_excel']
  | ['workbook_empty']
  | ['workbook_password']
  | ['binary_workbook']
  | ['open_document']
  | ['not_workbook', looksLike: LooksLikeOrText]
  | ['encrypted_part', part: string]
  | ['overlapping_parts', part: string]
  | ['forbidden_xml', part: string]
  | ['workbook_large', part: WorkbookPlace, limit: number, what: WorkbookAmount]
  | ['workbook_damaged', part: WorkbookPlace, fault: WorkbookFault]
  | ['no_sheet']
  | ['sheets_differ']
  | ['in_sheet', sheet: string, what: Message]
  | ['unknown_sheet', sheet: string, sheets: string]
  | Exclude<WorkbookPlace, string>
  | WorkbookFault

  // Why something that a person asks for cannot be done.
  | ['no_batch', batch: bigint]
  | ['not_unconfirmed', batch: bigint, state: string]
  | ['batch_over', batch: bigint, wanted: string, state: string]
  | ['batch_already', batch: bigint, state: string]
  | ['not_paused', batch: bigint, state: string]
  | ['spent_more', batch: bigint, units: number | null]
  | ['beyond_limit', batch: bigint]
  | ['costs_more', batch: bigint, units: number, agreed: number]
  | ['not_retryable', batch: bigint, state: string]
  | ['not_imported', batch: bigint]
  | ['batch_rejected', batch: bigint, problem: Message]
  | ['importing', batch: bigint]
  | ['report_overtaken', batch: bigint]
  | ['no_line', batch: bigint, line: number]
  | ['no_lookup_at', batch: bigint, line: number]
  | ['no_lookup', lookup: bigint]
  | ['lookup_not_parked', lookup: bigint, state: string]
  | ['lookup_settled', lookup: bigint]
  | ['line_not_parked', line: number, batch: bigint, state: string]
  | ['line_left', line: number, batch: bigint, lookup: bigint]
  | ['line_settled', line: number, batch: bigint]
  | ['buys_nothing', kind: string]
  | ['not_ours', remote: string]
  | ['not_listed', remote: string, listed: string | null]
  | ['lane_free', lane: string]
  | ['no_change', change: bigint]
  | ['no_suspicious', organization: number]
  | ['sweep_runs', name: string, since: string | null, sweep: bigint | null]
  | ['call_underway']
  | ['no_document', why: Message]
  | ['no_portfolio', name: string]
  | ['portfolio_exists', name: string]
  | ['portfolio_name']
  | ['portfolio_every']
  | ['portfolio_kind', kind: string]
  | ['portfolio_empty']
  | ['portfolio_paused', name: string]
  | ['portfolio_running', name: string]
  | ['portfolio_document']
  | ['portfolio_not_paused', name: string]
  | ['rule_exists', name: string]
  | ['rule_wrong']
  | ['no_rule']
  | ['say_note']
  | ['say_how']
  | ['no_file']
  | ['field_after_file', field: string]
  | ['no_kind', kind: string]
  | ['no_encoding', encoding: string]
  | ['no_format', format: string]
  | ['no_language', language: string]
  | ['no_organization', organization: string]
  | ['no_number']
  | ['no_choice', choice: bigint]
  | ['no_upload', upload: bigint]
  | ['no_role', role: string]
  | ['column_twice', one: string, other: string]
  | ['no_line_number']
  | ['no_document_type', type: string]
  | ['no_legal_basis', basis: string, known: string]

/** Text from outside, or of an earlier version: shown unchanged. */
type PlainMessage = ['text', text: string]

/** Not a code alone: the compiler would distinguish messages by it too, and gives up at this number. */
type LooksLikeOrText = LooksLike | PlainMessage

/** A place in a workbook: a part by its name in the zip, or what contains all of them. */
export type WorkbookPlace = string | ['the_file'] | ['the_zip'] | ['the_workbook']

/** What is wrong inside a workbook. The text of the library that unpacks it comes as `text`. */
export type WorkbookFault =
  | ['part_missing']
  | ['part_twice']
  | ['checksum_wrong']
  | ['packing_unusual']
  | ['not_utf8']
  | ['nul_inside']
  | ['ends_early']
  | ['other_root', root: string]
  | ['tags_unmatched']
  | ['tag_malformed']
  | ['attribute_twice']
  | ['lone_ampersand']
  | ['rows_unordered']
  | ['cells_unordered', row: number]
  | ['cell_contradicts', row: number]
  | PlainMessage

export type MessageCode = Message[0]

export type ValuesOf<Code extends MessageCode> =
  Extract<Message, [Code, ...unknown[]]> extends [Code, ...infer Values] ? Values : never

/** A language: how each code is formatted. A value that is itself a message arrives formatted. */
export type MessageCatalog = { [Code in MessageCode]: (...values: Formatted<ValuesOf<Code>>) => string }

type Formatted<Values extends unknown[]> = {
  [At in keyof Values]: Values[At] extends Message ? string : Exclude<Values[At], Message>
}

/** Makes the formatter of a language; a code that a later version wrote is shown unchanged. */
export const createFormatMessage = (language: MessageCatalog) => {
  const formatMessage = ([code, ...values]: Message): string => {
    const texts = values.map((value) => (Array.isArray(value) ? formatMessage(value) : value))
    const format = language[code] as ((...values: unknown[]) => string) | undefined
    return format ? format(...texts) : [code, ...texts].join(' ')
  }
  return formatMessage
}
