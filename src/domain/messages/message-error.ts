import { inEnglish } from './english.ts'
import type { Message } from './message.ts'

/** An error for people: programs read its English message, and a page shows it in the language of its reader. */
export class MessageError extends Error {
  readonly reason: Message

  constructor(reason: Message) {
    super(inEnglish(reason))
    this.reason = reason
  }
}
