import type { Language } from '../domain/languages.ts'
import { inEnglish } from '../domain/said/english.ts'
import { inPortuguese } from '../domain/said/portuguese.ts'
import type { Said } from '../domain/said/said.ts'
import { csvText } from '../files/csv/csv-text.ts'
import { wordsPlace } from '../store/batches/results.ts'

/**
 * Puts what was said of a row into words, at their place among the cells that PostgreSQL wrote.
 *
 * A million rows say a few dozen different things, so each is worded once and kept; where they differ all the time, what
 * was kept is let go now and then.
 */
export class WordedCells {
  readonly #tell: (said: Said) => string
  readonly #known = new Map<string, Buffer>()

  constructor(language: Language) {
    this.#tell = language === 'en' ? inEnglish : inPortuguese
  }

  fill(cells: Buffer, said: string): Buffer {
    // What stands before it comes from closed sets, so the first is ours, whatever the registry wrote after it.
    const at = cells.indexOf(wordsPlace)
    return Buffer.concat([cells.subarray(0, at), this.#worded(said), cells.subarray(at + wordsPlace.length)])
  }

  #worded(said: string): Buffer {
    const known = this.#known.get(said) ?? Buffer.from(csvText(this.#tell(JSON.parse(said) as Said)))
    if (this.#known.size >= mostKnown) this.#known.clear()
    this.#known.set(said, known)
    return known
  }
}

const mostKnown = 2_000
