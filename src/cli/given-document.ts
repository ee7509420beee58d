import { createInterface } from 'node:readline/promises'
import { type Document, readDocument } from '../domain/document.ts'
import { inText } from '../messages/message.ts'
import { UsageError } from './command.ts'
import type { CommandContext } from './context.ts'

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
