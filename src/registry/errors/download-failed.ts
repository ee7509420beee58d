/** A temporary address that gave no file. Its query is a secret, so only the host is told. */
export class DownloadFailed extends Error {
  override readonly name = 'DownloadFailed'

  constructor(host: string, what: string) {
    super(`The download from ${host} failed: ${what}`)
  }
}
