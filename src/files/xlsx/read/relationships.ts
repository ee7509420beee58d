import { posix } from 'node:path'
import { WorkbookProblem } from '../workbook-problem.ts'
import { readCompleteXml } from './read-xml.ts'
import type { WorkbookLimits } from './workbook-limits.ts'
import type { ZipParts } from './zip-parts.ts'

/**
 * `type` is the last part of its address, which is the same in both dialects of the format. `target` is the name of a
 * part, or a place: outside of the file, or in a sheet (`#Plan1!A1`).
 */
type Relationship = { id: string; type: string; target: string; external: boolean }

/**
 * The targets of a part. Parts are found by these and never by their names. A target outside of the file is marked, and
 * never followed.
 */
export const readRelationships = async (
  parts: ZipParts,
  part: string,
  limits: WorkbookLimits,
): Promise<Relationship[]> => {
  const folder = posix.dirname(part)
  const name = posix.join(folder, '_rels', `${posix.basename(part)}.rels`)
  const found: Relationship[] = []
  if (!parts.has(name)) return found
  await readCompleteXml({ parts, name, root: 'Relationships', limits }, (token, tokens) => {
    if (token !== 'open' || tokens.name !== 'Relationship') return
    const target = tokens.attribute('Target') ?? ''
    const external = tokens.attribute('TargetMode') === 'External'
    found.push({
      id: tokens.attribute('Id') ?? '',
      type: posix.basename(tokens.attribute('Type') ?? ''),
      target: external || target.startsWith('#') ? target : nameOf(target, folder),
      external,
    })
    if (found.length > limits.relationships)
      throw new WorkbookProblem(['workbook_large', name, limits.relationships, 'parts'])
  })
  return found
}

const nameOf = (target: string, folder: string): string =>
  target.startsWith('/') ? target.slice(1) : posix.join(folder, target)
