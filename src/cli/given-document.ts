import { createInterface } from 'node:readline/promises'
import { type Document, readDocument } from '../domain/document.ts'
import { inText } from '../domain/messages/english.ts'
import { UsageError } from './command.ts'
import type { CommandContext } from './context.ts'

/** Reads a CPF or CNPJ; `-` takes it from standard input. `option` is what the message calls it. */
export const givenDocument = async (context: CommandContext, text: string, option: string): Promise<Document> => {
  const parsed = readDocument(text === '-' ? await readGiven(context, option) : text)
  if ('refused' in parsed) throw new UsageError(`${option} is no CPF or CNPJ: ${inText(parsed.detail)}`)
  return parsed.document
}

/** What is given on standard input stands in no list of processes and in no history of a shell. */
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
