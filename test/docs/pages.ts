import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

export const root = resolve(import.meta.dirname, '../..')

function pagesIn(folder: string): string[] {
  return readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name}`)
}

/** A page of the docs: its path below the root, and its text. */
export type Page = { path: string; text: string }

export const readPage = (path: string): Page => ({ path, text: readFileSync(join(root, path), 'utf8') })

/** The checked pages. CHANGELOG.md is not one of them: it may name what was removed. */
export const pages: readonly Page[] = [
  'README.md',
  'CONTRIBUTING.md',
  ...pagesIn('docs'),
  ...pagesIn('docs/pt-BR'),
].map(readPage)

export const pageOf = (path: string): Page => pages.find((page) => page.path === path)!

/** The text without code, where brackets and hashes have no meaning. */
export const proseOf = ({ text }: Page): string => text.replace(/^```.*?^```/gms, '').replace(/`[^`\n]*`/g, 'code')

/** All code of a page, in blocks and inline. */
export const codeOf = ({ text }: Page): string[] => {
  const blocks = [...text.matchAll(/^```\w*\n(.*?)^```/gms)].map(([, code]) => code!)
  const args = [...text.replace(/^```.*?^```/gms, '').matchAll(/`([^`\n]+)`/g)].map(([, code]) => code!)
  return [...blocks, ...args]
}

/** The addresses of a page's headings, as GitHub makes them. */
export const anchorsOf = ({ text }: Page): string[] =>
  [...text.replace(/^```.*?^```/gms, '').matchAll(/^#+ (.+)$/gm)].map(([, title]) =>
    title!
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )

/** The generated part of a page. */
const generated = /^<!-- written by: .*?^<!-- end of what is written -->$/gms

/** The lines of a page that people write as running text; headings and tables are left out. */
export const proseLinesOf = ({ text }: Page): string[] =>
  text
    .replace(generated, '')
    .replace(/^```.*?^```/gms, '')
    .split('\n')
    .map((line) => (/^\s*[|#]|^<!--/.test(line) ? '' : line))

/** The paragraphs and the entries of lists, each on one line, with a placeholder for code. */
export const prosePartsOf = (page: Page): string[] =>
  paragraphsOf(page).map((lines) =>
    lines
      .join(' ')
      .replace(/^\s*(?:[-*]|\d+\.) /, '')
      .replace(/`[^`]*`/g, 'code')
      .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
      .replace(/\s+/g, ' ')
      .trim(),
  )

/** The lines of each paragraph, and of each entry of a list. */
export const paragraphsOf = (page: Page): string[][] => {
  const found: string[][] = [[]]
  for (const line of proseLinesOf(page)) {
    if (line.trim() === '' || /^\s*(?:[-*]|\d+\.) /.test(line)) found.push([])
    if (line.trim() !== '') found.at(-1)!.push(line)
  }
  return found.filter((lines) => lines.length > 0)
}

/** `##`, `###`, … in their order. */
export const headingLevelsOf = ({ text }: Page): string[] =>
  [...text.replace(/^```.*?^```/gms, '').matchAll(/^(#+) /gm)].map(([, level]) => level!)
