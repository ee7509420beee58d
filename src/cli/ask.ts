import { createInterface } from 'node:readline/promises'
import type { CommandContext } from './context.ts'

/** Whether somebody sits there who can answer. */
export const canAsk = ({ stdin, stderr, json }: CommandContext): boolean =>
  !json && stdin?.isTTY === true && stderr.isTTY === true

/** Asks a question whose answer is no unless it is yes. */
export async function ask({ stdin, stderr, signal }: CommandContext, question: string): Promise<boolean> {
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
