import { inEnglish } from './english.ts'
import type { Said } from './said.ts'

/** An error for people: programs read its English message, a page words what was said in the language of its reader. */
export class SaidError extends Error {
  readonly said: Said

  constructor(said: Said) {
    super(inEnglish(said))
    this.said = said
  }
}
