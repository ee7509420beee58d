type Details = Record<string, string | number>

/** What is told about each; words in other languages are made where they are shown, from the code and the details. */
const sentences = {
  empty: () => 'the file is empty; save the workbook again and send that',
  old_excel: () => 'this is a workbook of Excel 97-2003 (.xls); open it, save it as .xlsx and send that',
  password: () =>
    'the workbook is protected by a password; take it off (File, Info, Protect workbook) and save it again',
  binary_workbook: () => 'this is a binary workbook (.xlsb); open it, save it as .xlsx and send that',
  open_document: () => 'this is an OpenDocument file (.ods); open it, save it as .xlsx or CSV and send that',
  not_workbook: (d: Details) =>
    `this is no workbook but ${d.looksLike}; ${cures[d.looksLike as string] ?? cures.other}`,
  encrypted_part: (d: Details) => `${d.part} is encrypted inside the file; save the workbook without a password`,
  overlapping_parts: (d: Details) =>
    `${d.part} shares its bytes with another part, which no spreadsheet program writes; open the file, save it anew and send that`,
  forbidden_xml: (d: Details) =>
    `${d.part} declares a document type or an entity, which no spreadsheet program writes; open the file, save it anew and send that`,
  too_large: (d: Details) =>
    `${d.part} has more than ${d.limit} ${d.what}; split the file, or save the sheet as CSV and send that`,
  damaged: (d: Details) => `${d.part} cannot be read (${d.detail}); open the file, save it anew and send that`,
  no_sheet: () => 'the workbook has no sheet with cells; save the sheet with the documents into it',
  unknown_sheet: (d: Details) => `there is no sheet "${d.sheet}"; the workbook has ${d.sheets}`,
} as const satisfies Record<string, (details: Details) => string>

const cures: Record<string, string> = {
  text: 'if it is a CSV, give it a name that ends in .csv',
  'a page of HTML': 'open it in a spreadsheet program, save it as .xlsx and send that',
  'an XML file': 'open it in a spreadsheet program, save it as .xlsx and send that',
  'a zip archive': 'unpack it and send the workbook inside',
  other: 'send the .xlsx or the CSV with the documents',
}

export type WorkbookProblemCode = keyof typeof sentences

/** Why a workbook cannot be taken, or not read to its end. The message says what to do. */
export class WorkbookProblem extends Error {
  readonly code: WorkbookProblemCode
  readonly details: Details

  constructor(code: WorkbookProblemCode, details: Details = {}) {
    super(sentences[code](details))
    this.name = 'WorkbookProblem'
    this.code = code
    this.details = details
  }
}
