import { closeSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs'
import type { Happening } from './books.ts'

export type Journal = { happenings: Happening[]; append(happening: Happening): void; close(): void }

/**
 * An append-only file of everything that happened, one JSON line each, written before the answer leaves.
 * A process that is killed may tear its last line: the call it belongs to was never answered, and it is dropped.
 */
export function openJournal(path: string): Journal {
  const file = openSync(path, 'a+')
  const bytes = readFileSync(file)
  const whole = bytes.lastIndexOf(10) + 1
  if (whole < bytes.length) ftruncateSync(file, whole)
  return {
    happenings: bytes
      .toString('utf8', 0, whole)
      .split('\n')
      .slice(0, -1)
      .map((line, i) => parseLine(line, i, path)),
    append: (happening) => void writeSync(file, `${JSON.stringify(happening)}\n`),
    close: () => closeSync(file),
  }
}

/** The journal of a sandbox that forgets. */
export const noJournal: Journal = { happenings: [], append: () => {}, close: () => {} }

function parseLine(line: string, index: number, path: string): Happening {
  try {
    return JSON.parse(line)
  } catch {
    throw new Error(`Line ${index + 1} of the sandbox journal ${path} is no JSON; move the file away to start afresh`)
  }
}
