import { enMessages, type MessageText } from './en/messages.ts'
import { ptBrMessages } from './pt-BR/messages.ts'

/**
 * A message as it is stored and compared: a code, and the values that belong to it.
 *
 * The English catalog declares them: the parameters of its functions are the values. A message is formatted when
 * somebody reads it, in the language of the reader.
 */
export type Message = { [Code in MessageCode]: MessageOf<Code, Parameters<Catalog[Code]>> }[MessageCode]

export type MessageCode = keyof Catalog
type Catalog = typeof enMessages

/** One by one: TypeScript resolves a spread of values at once, and a message that holds messages would not end. */
type MessageOf<Code, Values extends unknown[]> = Values extends []
  ? [Code]
  : Values extends [infer One]
    ? [Code, Stored<One>]
    : Values extends [infer One, infer Two]
      ? [Code, Stored<One>, Stored<Two>]
      : Values extends [infer One, infer Two, infer Three]
        ? [Code, Stored<One>, Stored<Two>, Stored<Three>]
        : never

type Stored<Value> = Value extends MessageText ? Message : Value

/** Makes the formatter of a language; a code that a later version wrote is shown unchanged. */
export const createFormatMessage = (catalog: Catalog) => {
  const formatMessage = ([code, ...values]: Message): string => {
    const texts = values.map((value) => (Array.isArray(value) ? formatMessage(value as Message) : value))
    const format = catalog[code] as ((...values: unknown[]) => string) | undefined
    return format ? format(...texts) : [code, ...texts].join(' ')
  }
  return formatMessage
}

export const inEnglish = createFormatMessage(enMessages)
export const inPortuguese = createFormatMessage(ptBrMessages)

/** The text of a message; a text is returned unchanged. */
export type FormatMessage = (what: Message | string) => string

export const inText: FormatMessage = (what) => (typeof what === 'string' ? what : inEnglish(what))

/** An error for people: programs read its English message, and a page shows it in the language of its reader. */
export class MessageError extends Error {
  readonly reason: Message
  /** Of the command that it ends. */
  readonly exitCode = 1

  constructor(reason: Message) {
    super(inEnglish(reason))
    this.reason = reason
  }
}
