import { readFile } from 'node:fs/promises'
import { createServer } from 'node:net'

/** The port this home used before, if it is free; a free one otherwise. Never the same one for two homes that run. */
export async function choosePort(remembered: string): Promise<number> {
  const before = Number(await readFile(remembered, 'utf8').catch(() => '0'))
  return (await tryPort(before)) ?? (await tryPort(0)) ?? before
}

function tryPort(port: number): Promise<number | undefined> {
  return new Promise((done) => {
    const probe = createServer()
    probe.once('error', () => done(undefined))
    probe.listen(port, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => done(typeof address === 'object' ? address?.port : undefined))
    })
  })
}
