import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openServer, type Server } from './server.ts'
import type { Sizes } from './sizes.ts'

/** The environment of the lines: one PostgreSQL for the run, a folder for files, and what several lines or rounds share. */
export type Bench = AsyncDisposable & {
  sizes: Sizes
  folder: string
  server: Server
  /** Creates something once in a run, for every line and round that needs it. */
  once<T>(name: string, make: () => Promise<T>): Promise<T>
}

export const openBench = async (sizes: Sizes): Promise<Bench> => {
  const folder = await mkdtemp(join(tmpdir(), 'vigia-bench-'))
  const server = await openServer()
  const made = new Map<string, Promise<unknown>>()
  return {
    sizes,
    folder,
    server,
    once: <T>(name: string, make: () => Promise<T>) => {
      const known = (made.get(name) ?? make()) as Promise<T>
      made.set(name, known)
      return known
    },
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
