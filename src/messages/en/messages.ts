import { term } from '../term.ts'
import { values } from '../values.ts'

/** A value that is itself a message. It arrives formatted. */
export type MessageText = string & { readonly [formatted]: true }
declare const formatted: unique symbol

/** What a file turns out to be, by its first bytes or, in a zip, by its parts. */
export type LooksLike = keyof typeof values.en.looksLike

/** What a workbook may have too much of. */
export type WorkbookAmount = keyof typeof values.en.amounts

/** The statuses of a look-up that Vigia sets itself; all others are the registry's own. */
export type OwnStatus = keyof typeof values.en.statuses

/**
 * The codes of messages, their values, and the text of each in the language of logs, command line, API and English
 * reports.
 *
 * Messages are stored as code and values, for years: keep both, and the order of the values. A new meaning gets a new
 * code. Scripts read these texts, so change them only with a reason.
 */
export const enMessages = {
  // Text from outside, or of an earlier version: shown unchanged.
  text: (text: string) => text,

  // The history of a look-up, line by line. `seen` is the registry's status, or an `OwnStatus`.
  intent: () => 'intent recorded',
  inherited: () => 'inherited: already bought, only its answer is missing',
  accepted: (seen: string | null) => after('accepted', seen),
  answered: () => 'answered',
  not_ready: (seen: string | null) => after('not ready', seen),
  adopted: (seen: string | null) => after('adopted', seen),
  adopted_again: () => 'adopted: already bought inside freshness',
  adopted_elsewhere: () => 'adopted: already bought elsewhere',
  adopted_by: (who: string) => `adopted by ${who}`,
  sent_again_by: (who: string) => `sent again by ${who}`,
  dropped_by: (who: string) => `dropped by ${who}`,
  refused: (why: MessageText) => `refused: ${why}`,
  not_sent: (why: MessageText) => `not sent: ${why}`,
  no_answer: (why: MessageText) => `no answer: ${why}`,
  held: (cause: string, why: MessageText) => `held (${cause}): ${why}`,
  put_back: (why: MessageText) => `put back: ${why}`,
  not_judged: (why: MessageText) => `outcome still unknown: ${why}`,
  parked: (why: MessageText) => `parked: ${why}`,
  parked_late: () => 'parked: outcome still unknown at its deadline',
  absent_once: () => 'not in the list: will be read once more',
  absent: () => 'proven absent: will be sent again',
  ended: (state: string, why: MessageText) => `${state}: ${why}`,
  gave_up: (tries: number, why: MessageText) => `gave up after ${tries} tries: ${why}`,
  timed_out: (why: MessageText) => `timed out: ${why}`,
  over_budget: () => 'over budget: not sent',
  cancelled: () => 'cancelled before it was asked',
  deadline: () => 'deadline passed',
  worker_died: () => 'worker died while working on it',
  sweep_over: () => 'the sweep that asked for it has ended',

  // Why a look-up ended, waits or was put back.
  // `last_seen` in `src/store` writes this text too, with the status unchanged.
  last_seen: (seen: string | null) => `deadline passed; the last status seen was ${seen ?? 'none'}`,
  bought_before: () => 'already bought; not charged again',
  bought_elsewhere: (dated: string | null) =>
    dated ? `already bought elsewhere, ${dated}` : 'already bought elsewhere',
  stopped: () => 'the lane or the worker stopped',
  batch_spent: () => 'the batch has reached its spending limit',
  day_spent: (units: number | null) => `the day's budget of ${units} is spent`,
  only_cpf: () => 'only a CPF has a driver’s licence',
  lost_older: () => 'the answer was lost, and the purchase that the registry lists may be older',
  lost_denied: () => 'the answer was lost, and the registry denies requests that it has accepted',
  lost_shared: () => 'the answer was lost, and the listed purchase has the number of another organization’s look-up',
  lost_deleted: () => 'the answer was lost, and the purchase that the registry lists was deleted',
  lost_unknown: () => 'the answer was lost, and its outcome was still unknown at its deadline',
  refused_unproven: (why: MessageText) =>
    `refused (${why}), and the registry’s list cannot show whether it was charged anyway`,
  lost_unproven: () => 'the answer was lost, and the registry’s list is not complete',
  died_thrice: () => 'the worker died three times while working on this look-up',
  unstorable: (code: string) => `the answer could not be stored (PostgreSQL ${code})`,
  unexpected: (error: string) => `unexpected ${error}`,
  no_judgement: (outcome: string) => `the step ended as ${outcome}, which settles nothing`,
  reader_gone: () => 'the worker that was reading the list is gone',
  not_written: () => 'the list could not be stored',
  list_unread: (why: MessageText) => `the purchases at the registry could not be read: ${why}`,
  list_busy: () => 'another worker is still reading the list',
  list_bare: () => 'the registry sent no list, and the database may have lost purchases',
  list_cut: () => 'the list was cut short or could not be read in full',
  list_empty: (known: number) => `the list is empty, but ${known} radars are known`,
  list_short: (missing: number, known: number) => `${missing} of ${known} known radars are missing from the list`,
  never_asked: () => 'never asked',
  held_by_hand: () => 'held by an operator',
  unverified: (kind: string, state: string) => `${kind} ${state.replaceAll('_', ' ')}`,
  unverified_held: (kind: string, cause: string) => `${kind} held for ${cause}`,
  unverified_late: (kind: string) => `${kind} not answered in time`,
  left_list: () => 'left the list during the run',
  erased: () => 'erased during the run',

  // Why a sweep, or the run of a portfolio, was given up.
  sweep_lost: () => 'ran for more than a day',
  failed_thrice: (error: string) => `failed three times: ${error}`,
  organization_gone: (organization: number) => `organization ${organization} is not in the settings`,
  run_empty: () => 'it has no documents',
  run_rejected: () => 'its file was rejected',
  run_batch_gone: () => 'its batch is gone',

  // What went wrong in a call to the registry. The registry's own text stays as it was sent.
  http: (endpoint: string, status: number, what: string | MessageText | null) =>
    `${endpoint} answered ${status}${what ? ` ${what}` : ''}`,
  unauthorized: (endpoint: string, status: number) => `${endpoint} answered ${status}, unauthorized`,
  token_refused: (endpoint: string, status: number) => `${endpoint} answered ${status}, the token is not accepted`,
  refresh_refused: (endpoint: string) => `${endpoint} refused to renew the token`,
  no_token: () => 'The call was not sent: no token is stored',
  call_not_sent: (endpoint: string | null, why: MessageText) => `${endpoint ?? 'The request'} was not sent: ${why}`,
  call_no_answer: (endpoint: string, why: MessageText) => `${endpoint} got no answer: ${why}`,
  outage: (endpoint: string, seconds: number | null) =>
    `${endpoint} was not sent: the registry is not answering${seconds === null ? '' : `, the next attempt is due in ${seconds} s`}`,
  check_plan: (what: MessageText) => `${what}; check the plan with the registry, then resume the lane`,
  check_access: (what: MessageText) => `${what}; check the access to the organization, then resume the lane`,
  new_token: (what: MessageText) => `${what}; give Vigia a new REGISTRY_TOKEN and REGISTRY_REFRESH_TOKEN`,
  too_many: () => 'too many requests',
  there_is_none: () => 'there is none',
  no_reason: () => 'without a reason',
  body_empty: () => 'with an empty body',
  body_html: () => 'with HTML',
  body_not_json: () => 'with a body that is not JSON',
  body_undecodable: () => 'with a body that cannot be decoded',
  body_misshapen: (path: string | null) => `with a body of another shape${path ? `, see ${path}` : ''}`,
  other_document: () => 'with an answer about another document',
  body_large: (bytes: number) => `a body of more than ${bytes} bytes`,
  body_not_taken: () => 'its body could not be read',
  broken: (error: string) => error,
  ms_passed: (ms: number) => `${ms} ms passed`,
  given_up: () => 'it was aborted',
  given_up_waiting: () => 'it was aborted while it waited for its turn',
  path_missing: () => 'a value of its path is missing',
  turn_late: () => 'its turn came too late',
  lane_held: () => 'its lane was held in the meantime',
  no_renewal: (why: MessageText) => `its token could not be renewed (${why})`,
  vault_silent: () => 'the token store did not answer',

  // What is wrong with a row of a file, or with the file.
  cell_empty: () => 'the cell is empty',
  cell_bare: () => 'the cell holds no digit or letter',
  cell_long: (characters: number) => `${characters} characters in the cell`,
  rounded: () =>
    'a spreadsheet rounded the number and its digits are lost; the workbook that the file was saved from still has them: send that',
  not_document: () => 'other characters than digits, letters and a mask',
  not_process: () => 'other characters than those of a process number',
  digits: (digits: number) => `${digits} digits: a CPF has 11, a CNPJ has 14`,
  digits_short: (digits: number) => `${digits} digits: a CPF has 11, a CNPJ has 14, and no leading zeros make it fit`,
  digits_process: (digits: number) => `${digits} digits: a process number has 20, an older one fewer but at least 5`,
  same_digit: (digits: number) => `${digits} times the same digit`,
  ambiguous: (digits: number) =>
    `${digits} digits fit a CPF and a CNPJ: say which in a column "tipo", or for the entire file with --document-type`,
  other_type: (given: string, fits: string) => `the type says ${given}, but the digits fit only a ${fits}`,
  cpf_letters: () => 'the type says CPF, but a CPF has no letters',
  check_digits: (digits: number) => `${digits} digits, but the check digits do not fit`,
  check_characters: () => '14 characters, but the check digits do not fit',
  letters_only: () => 'letters only',
  letters: (characters: number) => `${characters} characters with letters: only a CNPJ has letters, and it has 14`,
  cnpj_end: () => 'the last two of a CNPJ are digits',
  quotes: () => 'the quotes of this row do not match: close or double them',
  cells: (cells: number, header: number) =>
    `the row has ${cells} cells, the header ${header}: quote the cell that holds the separator`,
  at_line: (line: number, what: MessageText) => `line ${line}: ${what}`,
  nul: () => 'a NUL character: save the file again as CSV text',
  undecodable: (byte: string, encoding: string) =>
    `byte ${byte} is no ${encoding} text: save the file again as "CSV UTF-8"`,
  row_long: (bytes: number, columns: number) =>
    `a row of more than ${bytes} bytes or ${columns} columns: is the line ending or a quote missing?`,
  many_rejects: (rejected: number, rows: number, percent: number) =>
    `${rejected} of ${rows} rows (${percent} %) were rejected, more than import.maxRejectShare allows`,
  cut_number: () =>
    'a spreadsheet keeps 15 digits of a number and the rest of this one is lost: write the cell as text',
  no_authorization: () => 'the row has no authorization: fill the column autorizacao with its reference or date',
  two_documents: () =>
    'the row has a CPF and a CNPJ: leave one of the two cells empty, or name both columns as documento to ask about both',
  no_purpose: () =>
    'a purpose is required: name it with --purpose or on the page, or set purpose.default for files of the inbox',
  file_empty: () => 'the file is empty: it needs a line per document',
  no_rows: () => 'the file has a header and no rows: nothing to ask',
  all_rejected: (rows: number) => `none of the ${rows} rows can be looked up: the rejects say why`,
  not_text: (looksLike: LooksLike | MessageText) =>
    `this is ${term(kinds, looksLike)}, not text: save the table as .xlsx or "CSV UTF-8" and give that file`,
  unknown_separator: (separator: string) =>
    `"sep=${separator}" is none of ; , tab | : separate the columns by one of these`,
  no_header: (role: string) =>
    `the first line is no header: read it as a row with --no-header, or put a header above it and name the column of ${columnOf(role)}`,
  no_header_line: (line: number) =>
    `there is no header at line ${line}: lines count from 1, as a text editor or the sheet shows them`,
  no_column: (role: string, header: string, offers: string | null) =>
    `the header has ${header}, but no column of ${columnOf(role)}: ${offers ? `its cells show which one it is, so add ${offers}` : `say which it is with --column ${role}="…", or name it so`}`,
  several_columns: (columns: string, offers: string) =>
    `the columns ${columns} may each hold the document: add one of ${offers}, or several to ask about each`,
  duplicate_headers: (names: string) => `more than one column is named ${names}: give each its own name`,
  unknown_header: (wanted: string, header: string) => `no column is named ${wanted}: the header has ${header}`,
  many_columns: (columns: number, most: number) =>
    `the row has ${columns} columns, and a table may have ${most}: leave out the columns that are not needed`,
  parse_slow: (seconds: number) =>
    `reading the file took more than ${seconds} seconds: save the table anew, or as CSV, and send that`,
  parse_large: (mebibytes: number) =>
    `reading the file took more than ${mebibytes} MiB of memory: split it, or save the table as CSV and send that`,
  quarantined: (deaths: number) =>
    `the file is quarantined: ${deaths} workers ended while they read it. Report it to support; save the table anew, or try the same file again after 24 hours`,

  // Why a workbook cannot be read.
  old_excel: () => 'this is a workbook of Excel 97-2003 (.xls); open it, save it as .xlsx and send that',
  workbook_empty: () => 'the file is empty; save the workbook again and send that',
  workbook_password: () =>
    'the workbook is protected by a password; take it off (File, Info, Protect workbook) and save it again',
  binary_workbook: () => 'this is a binary workbook (.xlsb); open it, save it as .xlsx and send that',
  open_document: () => 'this is an OpenDocument file (.ods); open it, save it as .xlsx or CSV and send that',
  not_workbook: (looksLike: LooksLike | MessageText) =>
    `this is no workbook but ${term(kinds, looksLike)}; ${cures[looksLike] ?? cure}`,
  encrypted_part: (part: string) => `${part} is encrypted inside the file; save the workbook without a password`,
  overlapping_parts: (part: string) =>
    `${part} shares its bytes with another part, which no spreadsheet program writes; ${saveAnew}`,
  forbidden_xml: (part: string) =>
    `${part} declares a document type or an entity, which no spreadsheet program writes; ${saveAnew}`,
  workbook_large: (part: string | MessageText, limit: number, what: WorkbookAmount) =>
    `${part} has more than ${limit} ${term(amounts, what)}; split the file, or save the sheet as CSV and send that`,
  workbook_damaged: (part: string | MessageText, fault: MessageText) =>
    `${part} cannot be read (${fault}); ${saveAnew}`,
  no_sheet: () => 'the workbook has no sheet with cells; save the sheet with the documents into it',
  sheets_differ: () =>
    'one sheet has a column of CPFs and one of CNPJs, and another has both in one: read them one by one with --sheet NAME',
  in_sheet: (sheet: string, what: MessageText) => `sheet "${sheet}": ${what}`,
  unknown_sheet: (sheet: string, sheets: string) => `there is no sheet "${sheet}"; the workbook has ${sheets}`,

  // A place in a workbook that is no part of it, and what is wrong inside. The text of the library that unpacks it comes as `text`.
  the_file: () => 'the file',
  the_zip: () => 'the zip',
  the_workbook: () => 'the workbook',
  part_missing: () => 'it is missing',
  part_twice: () => 'it is there twice',
  checksum_wrong: () => 'its checksum is wrong',
  packing_unusual: () => 'it is packed in an unusual way',
  not_utf8: () => 'it is not UTF-8',
  nul_inside: () => 'it holds NUL characters',
  ends_early: () => 'it ends too early',
  other_root: (root: string) => `it is no ${root}`,
  tags_unmatched: () => 'its tags do not match',
  tag_malformed: () => 'a tag is not well formed',
  attribute_twice: () => 'an attribute is there twice',
  lone_ampersand: () => 'a lone ampersand',
  rows_unordered: () => 'its rows are out of order',
  cells_unordered: (row: number) => `row ${row} has its cells out of order`,
  cell_contradicts: (row: number) => `a cell of row ${row} does not hold what it says`,

  // Why something that a person asks for cannot be done.
  no_batch: (batch: bigint) => `There is no batch ${batch}: 'vigia batches' lists them`,
  not_unconfirmed: (batch: bigint, state: string) => `Batch ${batch} does not need approval: it is ${state}`,
  batch_over: (batch: bigint, wanted: string, state: string) => `Batch ${batch} cannot be ${wanted}: it is ${state}`,
  batch_already: (batch: bigint, state: string) => `Batch ${batch} is already ${state}`,
  not_paused: (batch: bigint, state: string) => `Batch ${batch} is not paused, it is ${state}`,
  spent_more: (batch: bigint, units: number | null) =>
    `Batch ${batch} has already spent more than ${units}: set a higher limit`,
  costs_more: (batch: bigint, units: number, agreed: number) =>
    `Batch ${batch} would now cost ${units}, but ${agreed} were approved: review its quote again`,
  beyond_limit: (batch: bigint) =>
    `Batch ${batch} has reached its limit, so a retry would change nothing: set a higher limit (maxSpend)`,
  not_retryable: (batch: bigint, state: string) => `Batch ${batch} is ${state}, so ${notAgain}`,
  not_imported: (batch: bigint) => `Batch ${batch} is not fully imported, so ${notAgain}`,
  batch_rejected: (batch: bigint, problem: MessageText) => `Batch ${batch} was rejected: ${problem}`,
  report_overtaken: (batch: bigint) =>
    `A person was erased from batch ${batch} while its report was being written: try again in a moment`,
  importing: (batch: bigint) => `Batch ${batch} is still being imported: try again in a moment`,
  no_line: (batch: bigint, line: number) =>
    `Batch ${batch} has no row at line ${line}: lines count from 1, the header included`,
  no_lookup_at: (batch: bigint, line: number) => `Batch ${batch} has no row with a look-up at line ${line}`,
  no_document_column_named: (column: string, columns: string | null) =>
    columns
      ? `No column of documents is named ${column}: the rows are asked about ${columns}`
      : `A row of this batch has one document: leave out the column ${column}`,
  several_parked: (line: number, batch: bigint, columns: string) =>
    `Several documents at line ${line} of batch ${batch} are parked: name the column, ${columns}`,
  no_lookup: (lookup: bigint) => `There is no look-up ${lookup}: 'vigia parked' lists those with an unknown outcome`,
  lookup_not_parked: (lookup: bigint, state: string) =>
    `Look-up ${lookup} is ${state}, not parked: there is nothing to settle`,
  lookup_settled: (lookup: bigint) => `Look-up ${lookup} was settled by someone else just now`,
  line_not_parked: (line: number, batch: bigint, state: string) =>
    `Line ${line} of batch ${batch} is ${state}, not parked: there is nothing to settle`,
  line_left: (line: number, batch: bigint, lookup: bigint) =>
    `Line ${line} of batch ${batch} was transferred to another batch when its own was cancelled: 'vigia resolve --lookup ${lookup}' settles it there`,
  line_settled: (line: number, batch: bigint) => `Line ${line} of batch ${batch} was settled by someone else just now`,
  buys_nothing: (kind: string) =>
    `A ${kind} look-up buys nothing that could be adopted: use resend, which checks first`,
  not_ours: (remote: string) => `The registry's ${remote} already belongs to another look-up of this document`,
  not_listed: (remote: string, listed: string | null) =>
    `The registry lists no purchase ${remote} of this row's document. It lists ${listed ?? 'none'}.`,
  lane_free: (lane: string) => `Lane ${lane} is not held: 'vigia lanes' lists them`,
  no_change: (change: bigint) => `There is no change ${change}: 'vigia radars changes' lists them`,
  no_suspicious: (organization: number) =>
    `Organization ${organization} has no rejected list: 'vigia radars list' shows them`,
  sweep_runs: (name: string, since: string | null, sweep: bigint | null) =>
    `A sweep of ${name} is already running${since ? ` since ${since} (sweep ${sweep})` : ''}: 'vigia sweeps' shows its progress`,
  call_underway: () =>
    'A paid call about this document is under way or has an unknown outcome: run the same command again in two minutes, or settle it first (`vigia parked`)',
  no_document: (why: MessageText) => `This is no CPF or CNPJ: ${why}`,
  no_portfolio: (name: string) => `There is no portfolio ${name}: \`vigia portfolios\` lists them`,
  portfolio_exists: (name: string) =>
    `There is already a portfolio ${name}: \`vigia portfolio sync\` replaces its list`,
  portfolio_name: () =>
    'A portfolio has a name of up to 60 letters, digits, spaces and . _ -, which begins with a letter or digit and holds no document',
  portfolio_every: () => 'A portfolio repeats after 1h to 400d',
  rule_exists: (name: string) => `There is already a rule ${name}`,
  rule_wrong: () =>
    'A rule has a name of up to 80 characters without a document in it, at least one class to watch, and a threshold above 0 where something is to grow',
  operator_exists: (name: string) => `Operator ${name} exists already. Remove the old one first`,
  operator_self: () => 'Nobody changes or removes themself',
  no_operator: (name: string) => `Operator ${name} not found`,
  no_rule: () => 'This rule no longer exists',
  portfolio_empty: () => 'There is no document in that list',
  portfolio_paused: (name: string) => `The portfolio ${name} is paused`,
  portfolio_running: (name: string) => `A run of the portfolio ${name} is under way`,
  portfolio_document: () => 'One of the documents is not a valid CPF or CNPJ',
  portfolio_not_paused: (name: string) => `The portfolio ${name} is not paused`,
  say_note: () => 'Add a note that says what was done about the change',
  say_how: () => 'Choose adopt (with the number at the registry), resend or drop',
  no_file: () => 'No file was chosen: choose one',
  field_after_file: (field: string) => `The field "${field}" comes after the file: send all fields before it`,
  no_language: (language: string) => `A workbook is written in en or pt-BR, not ${language}`,
  no_organization: (organization: string, known: string) => `There is no organization ${organization}; known: ${known}`,
  no_number: () => 'The spending limit is a whole number',
  no_choice: (choice: bigint) => `There is no choice ${choice}: 'vigia columns' lists them`,
  no_upload: (upload: bigint) => `File ${upload} is no longer here: send it again`,
  no_role: (role: string) =>
    `Expected a role and a header, such as documento="Doc. Cliente", not ${role}; roles: documento, cpf, cnpj, tipo, nome, processo, ref, autorizacao`,
  column_twice: (one: string, other: string) =>
    `${one} and ${other} are given, and only documento may have several columns: give one of them. Where a row holds several documents, name each column with documento`,
  many_documents: (most: number) => `A row is asked about ${most} documents at most: leave out some of the columns`,
  no_line_number: () => 'The header line is a whole number, 1 or more',
}

const { looksLike: kinds, amounts, statuses } = values.en

const after = (text: string, seen: string | null): string => (seen ? `${text}: ${term(statuses, seen)}` : text)
const notAgain = 'it cannot be retried: submit its file again'
const saveAnew = 'open the file, save it anew and send that'

/** What people send instead of a workbook, and what helps. */
const cures: Partial<Record<string, string>> = {
  text: 'if it is a CSV, give it a name that ends in .csv',
  html: 'open it in a spreadsheet program, save it as .xlsx and send that',
  xml: 'open it in a spreadsheet program, save it as .xlsx and send that',
  zip_without_workbook: 'unpack it and send the workbook inside',
}
const cure = 'send the .xlsx or the CSV with the documents'

const columnOf = (role: string): string =>
  role === 'processo' ? 'process numbers "numero_processo"' : 'documents "documento", "cpf", "cnpj" or "cpf_cnpj"'
