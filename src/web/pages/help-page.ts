import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Language } from '../../messages/languages.ts'
import { notFound } from '../../operations/operation.ts'
import { type Html, html, type Part } from '../../writing/html.ts'
import { layout } from '../parts/layout.ts'
import type { Pages } from '../visit.ts'

/** The pages of `docs/`, in the reader's language if there is a translation, else in English. */
export const addHelpPage = ({ page }: Pages): void => {
  page('analyst', '/help/:name', async (visit) => {
    const { labels, request } = visit
    const { name } = request.params as { name: string }
    const file = fileOf(name, labels.language)
    if (!file) throw notFound('such page')
    const text = readFileSync(file.path, 'utf8').replace(otherLanguage, '')
    const body = html`<nav class="actions help" aria-label="${labels.help.title}">${guides.map(
      (guide) =>
        html`<a href="/help/${guide}"${guide === name && html` aria-current="page"`}>${labels.help[guide]}</a>`,
    )}</nav>
      <section class="help" lang="${file.language}">${renderMarkdown(text, addressFrom(file.language, labels.language))}</section>`
    return layout(visit, { title: labels.help.title, body })
  })
}

const guides = ['ops', 'analyst', 'files', 'on-call'] as const

/** The folder in a checkout and in the image; in a package, the program is one folder deeper. */
const folder = ['../../../docs', '../../../../docs'].map((path) => join(import.meta.dirname, path)).find(existsSync)

const fileOf = (name: string, language: Language): { path: string; language: Language } | undefined => {
  if (!folder || !/^[a-z-]+$/.test(name)) return undefined
  const files = [
    { path: join(folder, language, `${name}.md`), language },
    { path: join(folder, `${name}.md`), language: 'en' as const },
  ]
  return files.find(({ path }) => existsSync(path))
}

/** The line that links to the other language on GitHub; here the page has its own switch. */
const otherLanguage = /^\[(?:Em português|In English)\]\(.*\)$/m

/**
 * Links between pages stay on this site, other links keep their address, and files of the checkout are only named. A link
 * from an English page to one in the reader's language loses its heading, because the heading is translated there.
 */
const addressFrom =
  (from: Language, reader: Language) =>
  (target: string): string | null => {
    if (/^(https:|#)/.test(target)) return target
    const [path = '', anchor] = target.split('#')
    const name = basename(path, '.md')
    const file = fileOf(name, reader)
    if (!file) return null
    const hasHeading = from === reader || file.language === from
    return `/help/${name}${anchor && hasHeading ? `#${anchor}` : ''}`
  }

/** The address of a link on the page; null if the page has no such target, and the link is shown as text. */
type Address = (target: string) => string | null

/** The Markdown that our own docs use: headings, paragraphs, lists, tables, code, bold, italics and links. */
const renderMarkdown = (text: string, addressOf: Address): Html => {
  const blocks = text.replace(/^<!--.*?-->$/gms, '').match(/^```[\s\S]*?^```$|^(?:(?!```).+\n?)+/gm) ?? []
  return html`${blocks.map((block) => renderBlock(block.trimEnd(), addressOf))}`
}

const renderBlock = (block: string, addressOf: Address): Html => {
  const inline = (text: string) => renderInline(text.replace(/\n\s*/g, ' '), addressOf)
  const lines = block.split('\n')
  if (block.startsWith('```')) return html`<pre tabindex="0">${lines.slice(1, -1).join('\n')}</pre>`
  if (block.startsWith('#')) return renderHeading(block, inline)
  if (block.startsWith('|')) return renderTable(lines, inline)
  if (/^(-|\d+\.) /.test(block)) return renderList(block, inline)
  return html`<p>${inline(block)}</p>`
}

const renderHeading = (block: string, inline: (text: string) => Part): Html => {
  const [, level = '', title = ''] = /^(#+) (.+)$/.exec(block) ?? []
  const id = anchorOf(title)
  if (level.length === 1) return html`<h1 id="${id}">${inline(title)}</h1>`
  return level.length === 2 ? html`<h2 id="${id}">${inline(title)}</h2>` : html`<h3 id="${id}">${inline(title)}</h3>`
}

/** As GitHub builds it, so that the same links work there and here. */
const anchorOf = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')

const renderTable = ([head = '', , ...rows]: string[], inline: (text: string) => Part): Html =>
  html`<div class="table-scroll" tabindex="0"><table><thead><tr>${cellsOf(head).map((cell) => html`<th scope="col">${inline(cell)}</th>`)}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${cellsOf(row).map((cell) => html`<td>${inline(cell)}</td>`)}</tr>`)}</tbody></table></div>`

/** `\|` is a bar inside a cell. */
const cellsOf = (row: string): string[] =>
  row
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|'))

const renderList = (block: string, inline: (text: string) => Part): Html => {
  const items = block.split(/^(?:-|\d+\.) /m).slice(1)
  const entries = items.map((item) => html`<li>${inline(item.trim())}</li>`)
  return block.startsWith('-') ? html`<ul>${entries}</ul>` : html`<ol>${entries}</ol>`
}

const renderInline = (text: string, addressOf: Address): Part[] => {
  const [match, code, bold, italic, label, target] =
    /`([^`]+)`|\*\*(.+?)\*\*|\*(.+?)\*|\[((?:`[^`]*`|[^\]])+)\]\(([^)]+)\)/.exec(text) ?? []
  if (match === undefined) return [text]
  const at = text.indexOf(match)
  return [
    text.slice(0, at),
    code !== undefined && html`<code>${code}</code>`,
    bold && html`<strong>${renderInline(bold, addressOf)}</strong>`,
    italic && html`<em>${renderInline(italic, addressOf)}</em>`,
    label && target && renderLink(renderInline(label, addressOf), addressOf(target)),
    ...renderInline(text.slice(at + match.length), addressOf),
  ]
}

const renderLink = (label: Part, address: string | null): Html =>
  address === null ? html`${label}` : html`<a href="${address}">${label}</a>`
