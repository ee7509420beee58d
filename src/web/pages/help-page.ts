import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Language } from '../../domain/languages.ts'
import { notFound } from '../../operations/refusal.ts'
import { html } from '../../writing/html.ts'
import { renderMarkdown } from '../../writing/markdown.ts'
import { layout } from '../parts/layout.ts'
import type { SiteFor } from '../site/site.ts'
import { page } from '../visit.ts'

/** The pages of `docs/`, in the reader's language if there is a translation, else in English. */
export const addHelpPage = (app: FastifyInstance, siteFor: SiteFor): void => {
  page(app, siteFor, 'analyst', '/help/:name', async (visit) => {
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
