import { createInterface } from 'node:readline/promises'
import type { CommandContext } from './context.ts'

/** Whether somebody sits there who can answer. */
export const canAsk = ({ stdin, stderr, json }: CommandContext): boolean =>
  !json && stdin?.isTTY === true && stderr.isTTY === true

/** What was said to a question that must not be answered by silence; `unasked` where nobody was there to be asked. */
export type Approval = 'yes' | 'no' | 'unasked'

/** A word given on the command line stands; without one somebody is asked, where there is somebody. */
export const askApproval = async (
  context: CommandContext,
  question: string,
  given: boolean | undefined,
): Promise<Approval> => {
  if (given) return 'yes'
  if (!canAsk(context)) return 'unasked'
  return (await ask(context, question)) ? 'yes' : 'no'
}

/** Wrong usage where a word was needed and nobody could be asked; nothing done, and no failure, where it was no. */
export const exitCodeOfApproval: Record<Approval, number> = { yes: 0, no: 3, unasked: 2 }

/** Asks a question whose answer is no unless it is yes. */
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
