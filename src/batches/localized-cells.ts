import { csvText } from '../files/csv/csv-text.ts'
import type { Language } from '../messages/languages.ts'
import { inEnglish, inPortuguese, type Message } from '../messages/message.ts'
import { messagePlace } from '../store/batches/results.ts'

/**
 * Writes the message of a row in the report's language, at its place among the cells that PostgreSQL wrote.
 *
 * A million rows have a few dozen different messages, so each text is cached. A cache that grows too large is cleared.
 */
export class LocalizedCells {
  readonly #formatMessage: (message: Message) => string
  readonly #known = new Map<string, Buffer>()

  constructor(language: Language) {
    this.#formatMessage = language === 'en' ? inEnglish : inPortuguese
  }

  fill(cells: Buffer, message: string): Buffer {
    // The cells before it come from closed sets, so the first placeholder is ours, whatever the registry wrote after it.
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
