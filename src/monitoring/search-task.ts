import { searchFor } from '../domain/person-search.ts'
import type { ThreadTask } from '../files/thread/file-thread.ts'
import { type Found, searchHere } from './search-file.ts'

/** Looks for a person in a file; runs in the thread of `readInThread`. */
export const read: ThreadTask<{ document: string }, Found> = async ({ document }, open) => ({
  output: await searchHere(open, searchFor(document)),
})
