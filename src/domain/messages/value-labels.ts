/** What a file turns out to be, by its first bytes or, in a zip, by its parts. */
export type LooksLike =
  | 'text'
  | 'html'
  | 'xml'
  | 'zip'
  | 'empty_zip'
  | 'zip_without_workbook'
  | 'old_excel'
  | 'other_office'
  | 'pdf'
  | 'gzip'
  | 'rar'
  | 'seven_zip'
  | 'png'
  | 'jpeg'
  | 'gif'
  | 'tiff'
  | 'riff'
  | 'unknown'

/** What a workbook may have too much of. */
export type WorkbookAmount =
  | 'bytes'
  | 'bytes_of_text'
  | 'bytes_unpacked_of_one'
  | 'parts'
  | 'sheets'
  | 'styles'
  | 'texts'
  | 'rows'
  | 'columns'
  | 'cell_characters'
  | 'levels'
  | 'tag_attributes'
  | 'token_characters'

/** The statuses of a look-up that Vigia sets itself; all others are the registry's own. */
export type OwnStatus = 'listed' | 'unlisted' | 'added'

/** Labels of codes that occur as values in a message, in one language. */
export type ValueLabels = {
  looksLike: Record<LooksLike, string>
  amounts: Record<WorkbookAmount, string>
  statuses: Record<OwnStatus, string>
}

/** The label of a code. An unknown code is shown unchanged: it is the registry's own, or an earlier version stored it. */
export const labelFor = (text: Readonly<Record<string, string>>, code: string): string =>
  Object.hasOwn(text, code) ? (text[code] as string) : code
