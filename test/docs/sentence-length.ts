import { type Page, pages, prosePartsOf, readPage } from './pages.ts'

/** Above this average a page is hard to read. */
export const mostLabels = 22

export type Measure = { path: string; sentences: number; labels: number; average: number }

/** The average number of words in a sentence of a page. Tables, headings and code are left out. */
export const measure = (page: Page): Measure => {
  const sentences = prosePartsOf(page).flatMap((part) => part.split(/(?<=[.!?…][)*"”]*) /))
  const labels = sentences.reduce((sum, sentence) => sum + labelsIn(sentence), 0)
  return { path: page.path, sentences: sentences.length, labels, average: labels / Math.max(1, sentences.length) }
}

/** A piece of code counts as one word, a lone sign as none. */
const labelsIn = (sentence: string): number => sentence.split(' ').filter((text) => /[\p{L}\p{N}]/u.test(text)).length

export const measuredPages = (): Measure[] => [...pages, readPage('CHANGELOG.md')].map(measure)

if (import.meta.main) {
  const measures = measuredPages()
  for (const { path, sentences, average } of measures) {
    console.log(
      `${average.toFixed(1).padStart(5)} words in each of ${String(sentences).padStart(3)} sentences  ${path}`,
    )
  }
  const long = measures.filter(({ average }) => average > mostLabels)
  if (long.length > 0)
    console.log(`More than ${mostLabels} words on average: ${long.map(({ path }) => path).join(', ')}`)
  process.exitCode = long.length > 0 ? 1 : 0
}
