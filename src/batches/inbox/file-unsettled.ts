import { basename } from 'node:path'

/** A file changed while it was read: it goes back to the inbox, until it has come to rest. */
export class FileUnsettled extends Error {
  override readonly name = 'FileUnsettled'

  constructor(path: string) {
    super(`${basename(path)} changed while it was read`)
  }
}
