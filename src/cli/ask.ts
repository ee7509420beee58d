import { createInterface } from 'node:readline/promises'
import { type Document, readDocument } from '../domain/document.ts'
import { inText } from '../messages/message.ts'
import { type CommandContext, UsageError } from './command.ts'

/** Whether a person is at a terminal and can answer. */
export const canAsk = ({ stdin, stderr, json }: CommandContext): boolean =>
  !json && stdin?.isTTY === true && stderr.isTTY === true

/** The answer to a question that needs an explicit answer; `unasked` where nobody could be asked. */
export type Approval = 'yes' | 'no' | 'unasked'

/** An approval given on the command line counts; without one the person at the terminal is asked, if there is one. */
export const askApproval = async (
  context: CommandContext,
  question: string,
  given: boolean | undefined,
): Promise<Approval> => {
  if (given) return 'yes'
  if (!canAsk(context)) return 'unasked'
  return (await ask(context, question)) ? 'yes' : 'no'
}

/** 2 (wrong usage) if nobody could be asked for a needed approval; 3 if the answer was no: nothing done, no failure. */
export const exitCodeOfApproval: Record<Approval, number> = { yes: 0, no: 3, unasked: 2 }

/** Asks a yes-or-no question; anything but an explicit yes is no. */
const ask = async ({ stdin, stderr, signal }: CommandContext, question: string): Promise<boolean> => {
  const lines = createInterface({ input: stdin!, output: stderr })
  try {
    const answer = await lines.question(`${question} [y/N] `, { signal })
    return /^\s*(y|yes|s|sim)\s*$/i.test(answer)
  } catch (error) {
    // Ctrl-C in the middle of a question means no.
    if ((error as Error).name === 'AbortError') return false
    throw error
  } finally {
    lines.close()
  }
}

/** Reads a CPF or CNPJ; `-` reads it from standard input. The message names `option`. */
export const givenDocument = async (context: CommandContext, text: string, option: string): Promise<Document> => {
  const parsed = readDocument(text === '-' ? await readGiven(context, option) : text)
  if ('refused' in parsed) throw new UsageError(`${option} is not a CPF or CNPJ: ${inText(parsed.detail)}`)
  return parsed.document
}

/** A document on standard input appears in no process list and in no shell history. */
const readGiven = async ({ stdin, stderr, signal }: CommandContext, option: string): Promise<string> => {
  if (!stdin) throw new UsageError(`${option} - reads standard input, and there is none`)
  const lines = createInterface({ input: stdin, ...(stdin.isTTY && { output: stderr }) })
  try {
    if (stdin.isTTY) return await lines.question('CPF or CNPJ: ', { signal })
    const { value } = await lines[Symbol.asyncIterator]().next()
    return value ?? ''
  } finally {
    lines.close()
  }
}
