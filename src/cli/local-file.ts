import { createReadStream } from 'node:fs'
import { access, constants, stat } from 'node:fs/promises'
import { FileProblem } from '../csv/file-problem.ts'
import { CommandFailure } from './command-failure.ts'
import { UsageError } from './usage-error.ts'

/** Makes sure that each of these can be read, before anything is done with the first. */
export async function checkFiles(paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const found = await stat(path).catch(() => null)
    if (!found) throw new UsageError(`there is no file ${path}`)
    if (!found.isFile()) throw new UsageError(`${path} is a folder; name the files in it`)
    await access(path, constants.R_OK).catch(() => {
      throw new UsageError(`${path} cannot be read: check its permissions`)
    })
  }
}

export const openLocalFile = (path: string, signal?: AbortSignal): AsyncIterable<Uint8Array> =>
  createReadStream(path, { signal })

/** Names the file in what is wrong with it. */
export async function aboutFile<T>(path: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action()
  } catch (cause) {
    if (cause instanceof FileProblem) throw new CommandFailure(`${path}: ${cause.message}`, { cause })
    throw cause
  }
}
