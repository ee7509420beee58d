import { oversizedPart } from '../../file-problem.ts'
import { nodesIn, rewriteXml, toXml, type XmlNode } from '../read/rewrite-xml.ts'
import type { ZipParts } from '../read/zip-parts.ts'
import type { OtherStyles } from '../write/styles-xml.ts'

export const readOtherStyles = async (parts: ZipParts, name: string | undefined): Promise<OtherStyles> => {
  const most = parts.limits.copiedPart
  const lists = new Map<string, string[]>()
  const formatIds = new Set<number>()
  if (name === undefined || !parts.has(name)) return { namespaces: '', lists, formatIds }
  let namespaces = ''
  let size = 0
  const open = (node: XmlNode, depth: number): XmlNode | null => {
    if (depth === 1) namespaces = prefixesOf(node)
    else if (!kept.has(node.name)) return null
    return node
  }
  const unit = (node: XmlNode, inside: string): null => {
    const entry = toXml(inside === 'cellXfs' ? withinLists(node, lists) : node)
    if (node.name === 'numFmt') formatIds.add(Number(node.attributes.get('numFmtId')))
    size += entry.length
    if (size > most) throw oversizedPart(name, most, 'bytes_of_text')
    const list = lists.get(inside)
    if (list) list.push(entry)
    else lists.set(inside, [entry])
    return null
  }
  for await (const _ of rewriteXml({ parts, name, root: 'styleSheet' }, { depth: 3, open, unit }));
  return { namespaces, lists, formatIds }
}

/** Lists of colours and of what tables look like are of use to the caller's sheets only. */
const kept = new Set('numFmts fonts fills borders cellStyleXfs cellXfs cellStyles dxfs tableStyles colors'.split(' '))

/** Of `xmlns="…"` only that of a prefix: without one, names are of the format itself. */
export const prefixesOf = ({ attributes }: XmlNode): string =>
  [...attributes]
    .filter(([name]) => name.startsWith('xmlns:') || name.endsWith(':Ignorable'))
    .map(([name, value]) => ` ${name}="${value}"`)
    .join('')

/** Excel refuses a style that refers to an entry that is not there; the lists stand before it. */
const withinLists = (node: XmlNode, lists: ReadonlyMap<string, readonly string[]>): XmlNode => {
  for (const [attribute, list] of references) {
    const number = node.attributes.get(attribute)
    if (number !== undefined && !(Number(number) < (lists.get(list)?.length ?? 0))) node.attributes.set(attribute, '0')
  }
  return { ...node, children: nodesIn(node).filter(({ name }) => name !== 'extLst') }
}

const references = [
  ['fontId', 'fonts'],
  ['fillId', 'fills'],
  ['borderId', 'borders'],
  ['xfId', 'cellStyleXfs'],
] as const
