import { type Page, pages, prosePartsOf, readPage } from './pages.ts'

/** Above this average a page is hard to read. */
export const maxAverage = 22

export type Measure = { path: string; sentences: number; length: number; average: number }

/** The average length of the sentences of a page, in words. Tables, headings and code are left out. */
export const measure = (page: Page): Measure => {
  const sentences = prosePartsOf(page).flatMap((part) => part.split(/(?<=[.!?…][)*"”]*) /))
  const length = sentences.reduce((sum, sentence) => sum + lengthOf(sentence), 0)
  return { path: page.path, sentences: sentences.length, length, average: length / Math.max(1, sentences.length) }
}

/** A piece of code counts as one word, a lone sign as none. */
const lengthOf = (sentence: string): number => sentence.split(' ').filter((text) => /[\p{L}\p{N}]/u.test(text)).length

export const measuredPages = (): Measure[] => [...pages, readPage('CHANGELOG.md')].map(measure)

if (import.meta.main) {
  const measures = measuredPages()
  for (const { path, sentences, average } of measures) {
    console.log(
      `${average.toFixed(1).padStart(5)} words in each of ${String(sentences).padStart(3)} sentences  ${path}`,
    )
  }
  const long = measures.filter(({ average }) => average > maxAverage)
  if (long.length > 0)
    console.log(`More than ${maxAverage} words on average: ${long.map(({ path }) => path).join(', ')}`)
  process.exitCode = long.length > 0 ? 1 : 0
}
