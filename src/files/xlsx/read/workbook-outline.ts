import { posix } from 'node:path'
import { damagedPart, FileProblem, oversizedPart } from '../../file-problem.ts'
import { readCompleteXml } from './read-xml.ts'
import type { XmlTokens } from './xml-tokens.ts'
import type { ZipParts } from './zip-parts.ts'

/** How a sheet is hidden: `veryHidden` is not offered to people who show hidden sheets. */
export type SheetState = '' | 'hidden' | 'veryHidden'

type SheetPlace = { name: string; hidden: boolean; state: SheetState; part: string }

/** What the workbook says of itself: its sheets in order, where strings and styles are, and when its days begin. */
export type WorkbookOutline = {
  part: string
  sheets: SheetPlace[]
  sharedStrings: string | undefined
  styles: string | undefined
  theme: string | undefined
  date1904: boolean
}

export const readOutline = async (parts: ZipParts): Promise<WorkbookOutline> => {
  const name = await findWorkbook(parts)
  const relationships = (await readRelationships(parts, name)).filter(({ external }) => !external)
  const worksheets = new Map(
    relationships.filter(({ type }) => type === 'worksheet').map(({ id, target }) => [id, target]),
  )
  const sheets: SheetPlace[] = []
  let listed = 0
  let date1904 = false
  await readCompleteXml({ parts, name, root: 'workbook' }, (token, tokens) => {
    if (token !== 'open') return
    if (tokens.name === 'workbookPr') date1904 = isOn(tokens.attribute('date1904'))
    if (tokens.name !== 'sheet' || tokens.depth !== 3) return
    sheets.push(...sheetPlace(tokens, worksheets))
    if (++listed > parts.limits.sheets) throw oversizedPart(name, parts.limits.sheets, 'sheets')
  })
  if (sheets.length === 0) throw new FileProblem(['no_sheet'])
  const partOf = (type: string) => relationships.find((one) => one.type === type)?.target
  return {
    part: name,
    sheets,
    sharedStrings: partOf('sharedStrings'),
    styles: partOf('styles'),
    theme: partOf('theme'),
    date1904,
  }
}

/** A chart or a macro may fill a sheet by itself; such a sheet has no cells. */
const sheetPlace = (tokens: XmlTokens, worksheets: Map<string, string>): SheetPlace[] => {
  const id = [...tokens.attributes()].find(([name]) => name.endsWith(':id'))?.[1]
  const part = worksheets.get(id ?? '')
  if (part === undefined) return []
  const state = tokens.attribute('state') ?? 'visible'
  const hidden = state !== 'visible'
  const shown = state === 'veryHidden' ? state : hidden ? 'hidden' : ''
  return [{ name: tokens.attribute('name') ?? '', hidden, state: shown, part }]
}

const isOn = (value: string | undefined): boolean => value === '1' || value === 'true'

const findWorkbook = async (parts: ZipParts): Promise<string> => {
  const main = (await readRelationships(parts, '')).find((one) => one.type === 'officeDocument' && !one.external)
  if (main?.target.toLowerCase().endsWith('.bin')) throw new FileProblem(['binary_workbook'])
  if (main && /^(word|ppt|visio)\//i.test(main.target)) throw new FileProblem(['not_workbook', 'other_office'])
  if (main && parts.has(main.target)) return main.target
  if (parts.has('content.xml') && parts.has('META-INF/manifest.xml')) throw new FileProblem(['open_document'])
  if (main || parts.has('[Content_Types].xml')) throw damagedPart(main?.target ?? ['the_workbook'], ['part_missing'])
  throw new FileProblem(['not_workbook', 'zip_without_workbook'])
}

/**
 * `type` is the last part of its address, which is the same in both dialects of the format. `target` is the name of a
 * part, or a place: outside of the file, or in a sheet (`#Plan1!A1`).
 */
type Relationship = { id: string; type: string; target: string; external: boolean }

/**
 * The targets of a part. Parts are found by these and never by their names. A target outside of the file is marked, and
 * never followed.
 */
export const readRelationships = async (parts: ZipParts, part: string): Promise<Relationship[]> => {
  const most = parts.limits.relationships
  const folder = posix.dirname(part)
  const name = posix.join(folder, '_rels', `${posix.basename(part)}.rels`)
  const found: Relationship[] = []
  if (!parts.has(name)) return found
  await readCompleteXml({ parts, name, root: 'Relationships' }, (token, tokens) => {
    if (token !== 'open' || tokens.name !== 'Relationship') return
    const target = tokens.attribute('Target') ?? ''
    const external = tokens.attribute('TargetMode') === 'External'
    found.push({
      id: tokens.attribute('Id') ?? '',
      type: posix.basename(tokens.attribute('Type') ?? ''),
      target: external || target.startsWith('#') ? target : nameOf(target, folder),
      external,
    })
    if (found.length > most) throw oversizedPart(name, most, 'parts')
  })
  return found
}

const nameOf = (target: string, folder: string): string =>
  target.startsWith('/') ? target.slice(1) : posix.join(folder, target)
