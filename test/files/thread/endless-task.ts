import type { ThreadTask } from '../../../src/files/thread/file-thread.ts'

/** Unexpected faults: a turn that does not end, or memory that is never freed. */
export const read: ThreadTask<'time' | 'memory', never> = async (takes, open) => {
  const held: string[][] = []
  for await (const _ of open()) if (takes === 'time') for (;;);
  for (;;) held.push(Array.from({ length: 1_000 }, (_, i) => `${held.length} ${i}`))
}
