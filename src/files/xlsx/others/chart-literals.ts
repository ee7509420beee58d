import { nodesIn, textInside, type XmlNode } from '../read/rewrite-xml.ts'
import type { KeptFormulas } from './kept-formulas.ts'

/** Writes figures and texts of a chart whose cells do not come back into the chart itself, as they were last shown. */
export const literalChart = (node: XmlNode, formulas: KeptFormulas, parent = ''): void => {
  node.children = node.children.map((child) => {
    if (typeof child === 'string') return child
    const formula = nodesIn(child).find(({ name }) => name === 'f')
    const isLost = formula !== undefined && !formulas.keeps(textInside(formula))
    if (isLost && (child.name === 'numRef' || child.name === 'strRef')) return literal(child, node.name, parent)
    literalChart(child, formulas, node.name)
    return child
  })
}

/** The same content under another name, but for a title, which is one text. */
const literal = (reference: XmlNode, inside: string, parent: string): XmlNode => {
  const prefix = reference.tag.slice(0, -reference.name.length)
  const named = (name: string, children: XmlNode['children']): XmlNode => ({
    tag: `${prefix}${name}`,
    name,
    attributes: new Map(),
    children,
  })
  const cache = nodesIn(reference).find(({ name }) => name === 'numCache' || name === 'strCache')
  if (inside !== 'tx') {
    const count = { ...named('ptCount', []), attributes: new Map([['val', '0']]) }
    return named(reference.name === 'numRef' ? 'numLit' : 'strLit', cache?.children ?? [count])
  }
  const values = cache ? nodesIn(cache).flatMap((point) => nodesIn(point).filter(({ name }) => name === 'v')) : []
  const text = values[0]?.children ?? []
  if (parent === 'ser') return named('v', text)
  const drawn = (name: string, children: XmlNode['children']): XmlNode => ({
    tag: `a:${name}`,
    name,
    attributes: new Map([['xmlns:a', 'http://schemas.openxmlformats.org/drawingml/2006/main']]),
    children,
  })
  return named('rich', [drawn('bodyPr', []), drawn('p', [drawn('r', [drawn('t', text)])])])
}
