/** An address from outside that leads into our own network, or is no address that one may follow at all. */
export class PrivateAddress extends Error {
  override readonly name = 'PrivateAddress'

  constructor(host: string) {
    super(`${host} is not a public address, so nothing was sent to it`)
  }
}
