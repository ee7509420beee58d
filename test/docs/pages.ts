import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

export const root = resolve(import.meta.dirname, '../..')

/** A page for people: where it stands below the root, and its text. */
export type Page = { path: string; text: string }

export const readPage = (path: string): Page => ({ path, text: readFileSync(join(root, path), 'utf8') })

/** What is checked. CHANGELOG.md is no manual: it may name what is gone. */
export const pages: readonly Page[] = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
].map(readPage)

export const pageOf = (path: string): Page => pages.find((page) => page.path === path)!

/** The text without what is shown as code, where brackets and hashes mean nothing. */
export const proseOf = ({ text }: Page): string => text.replace(/^```.*?^```/gms, '').replace(/`[^`\n]*`/g, 'code')

/** Everything that is shown as code, blocks and words alike. */
export const codeOf = ({ text }: Page): string[] => {
  const blocks = [...text.matchAll(/^```\w*\n(.*?)^```/gms)].map(([, code]) => code!)
  const words = [...text.replace(/^```.*?^```/gms, '').matchAll(/`([^`\n]+)`/g)].map(([, code]) => code!)
  return [...blocks, ...words]
}

/** The addresses of a page's headings, as GitHub makes them. */
export const anchorsOf = ({ text }: Page): string[] =>
  [...text.replace(/^```.*?^```/gms, '').matchAll(/^#+ (.+)$/gm)].map(([, title]) =>
    title!
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
