import type { Language } from '../domain/languages.ts'
import { inEnglish } from '../domain/messages/english.ts'
import type { Message } from '../domain/messages/message.ts'
import { inPortuguese } from '../domain/messages/portuguese.ts'
import { csvText } from '../files/csv/csv-text.ts'
import { messagePlace } from '../store/batches/results.ts'

/**
 * Puts what was said of a row into words, at their place among the cells that PostgreSQL wrote.
 *
 * A million rows say a few dozen different things, so each is worded once and kept; where they differ all the time, what
 * was kept is let go now and then.
 */
export class LocalizedCells {
  readonly #formatMessage: (message: Message) => string
  readonly #known = new Map<string, Buffer>()

  constructor(language: Language) {
    this.#formatMessage = language === 'en' ? inEnglish : inPortuguese
  }

  fill(cells: Buffer, message: string): Buffer {
    // What stands before it comes from closed sets, so the first is ours, whatever the registry wrote after it.
    const at = cells.indexOf(messagePlace)
    return Buffer.concat([cells.subarray(0, at), this.#localized(message), cells.subarray(at + messagePlace.length)])
  }

  #localized(message: string): Buffer {
    const known = this.#known.get(message) ?? Buffer.from(csvText(this.#formatMessage(JSON.parse(message) as Message)))
    if (this.#known.size >= mostKnown) this.#known.clear()
    this.#known.set(message, known)
    return known
  }
}

const mostKnown = 2_000
