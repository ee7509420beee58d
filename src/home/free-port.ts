import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'

/** A free port of this machine: the wanted one, so that a restarted server is found where it was, or else another one. */
export const freePort = async (wanted = 0): Promise<number> => {
  const probe = createServer().listen(wanted, '127.0.0.1')
  try {
    await once(probe, 'listening')
  } catch (error) {
    if (wanted === 0) throw error
    return freePort()
  }
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}
