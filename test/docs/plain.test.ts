import { expect, test } from 'vitest'
import { headingLevelsOf, type Page, pages, paragraphsOf, proseLinesOf, readPage } from './pages.ts'
import { maxAverage, measure, measuredPages } from './sentence-length.ts'

const pageFrom = (text: string): Page => ({ path: 'docs/x.md', text })

test('sentences are counted without code, tables and headings, and each entry of a list by itself', () => {
  const text =
    '# A title\n\nOne two three. Four `five six` seven\neight!\n\n| a | b |\n\n```sh\nx y z\n```\n\n- nine ten\n- eleven\n'
  expect(measure(pageFrom(text))).toMatchObject({ sentences: 4, length: 10, average: 2.5 })
})

test.each(measuredPages())(
  `a sentence of $path has at most ${maxAverage} words on average`,
  ({ sentences, average }) => {
    expect(sentences).toBeGreaterThan(3)
    expect(average).toBeLessThanOrEqual(maxAverage)
  },
)

test('no line of a page is longer than 100 characters, but in tables and code', () => {
  const long = pages.flatMap((page) =>
    proseLinesOf(page)
      .filter((line) => [...line].length > 100 && /\s/.test(line.trim()))
      .map((line) => `${page.path}: ${line}`),
  )
  expect(long).toEqual([])
})

test('no paragraph has more than five lines', () => {
  const long = pages.flatMap((page) =>
    paragraphsOf(page)
      .filter((lines) => lines.length > 5)
      .map(([line]) => `${page.path}: ${line}`),
  )
  expect(long).toEqual([])
})

const translated = ['ops', 'analyst', 'files', 'on-call']

test.each(translated)('%s.md has the same headings in English and in Portuguese', (name) => {
  const [english, portuguese] = [readPage(`docs/${name}.md`), readPage(`docs/pt-BR/${name}.md`)]
  expect(headingLevelsOf(portuguese)).toEqual(headingLevelsOf(english))
  expect(headingLevelsOf(english).length).toBeGreaterThan(3)
})

test.each(translated)('%s.md leads to the same page in the other language', (name) => {
  expect(readPage(`docs/${name}.md`).text).toContain(`](pt-BR/${name}.md)`)
  expect(readPage(`docs/pt-BR/${name}.md`).text).toContain(`](../${name}.md)`)
})
