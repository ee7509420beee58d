import { existsSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect, test } from 'vitest'
import { anchorsOf, type Page, pageOf, pages, proseOf, readPage, root } from './pages.ts'

type Link = { from: string; path: string; anchor: string | undefined }

const linksOf = (page: Page): Link[] =>
  [...proseOf(page).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target]) => target!)
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => {
      const [file, anchor] = target.split('#')
      return { from: page.path, path: file ? normalize(join(dirname(page.path), file)) : page.path, anchor }
    })

const links = pages.flatMap(linksOf)

test('every link leads to a file of the checkout', () => {
  expect(links.length).toBeGreaterThan(40)
  expect(links.filter(({ path }) => !existsSync(join(root, path)))).toEqual([])
})

test('every link into a page leads to one of its headings', () => {
  const broken = links.filter(({ path, anchor }) => anchor && !anchorsOf(readPage(path)).includes(anchor))
  expect(broken).toEqual([])
})

test('no heading of a page has the same address as another', () => {
  const twice = pages.flatMap((page) => anchorsOf(page).filter((anchor, at, all) => all.indexOf(anchor) < at))
  expect(twice).toEqual([])
})

test('the README leads to every page', () => {
  const led = linksOf(pageOf('README.md')).map(({ path }) => path)
  expect(pages.map(({ path }) => path).filter((path) => path !== 'README.md' && !led.includes(path))).toEqual([])
})

test.each(['docs/pt-BR/', ''])('no sentence stands on two pages of one language (%s)', (folder) => {
  const ofLanguage = pages.filter(({ path }) => path.startsWith('docs/pt-BR/') === (folder !== ''))
  const shown = ofLanguage.flatMap((page) => sentencesOf(page).map((sentence) => ({ sentence, path: page.path })))
  const twice = [...Map.groupBy(shown, ({ sentence }) => sentence)].filter(([, places]) => places.length > 1)
  expect(twice).toEqual([])
})

/** Texts that are longer than a table header or a name, without their line breaks. */
const sentencesOf = (page: Page): string[] => {
  const unbroken = proseOf(page).replace(/\n(?![-|#\n]|\d\.) */g, ' ')
  const sentences = unbroken.split(/\n| \| |(?<=[.:;]) /).map((sentence) => sentence.trim())
  return [...new Set(sentences.filter((sentence) => sentence.length > 50))]
}
