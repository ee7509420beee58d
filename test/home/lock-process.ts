import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { withLock } from '../../src/home/holders.ts'

/** Adds 1 to a counter 25 times, each time under the lock; or takes the lock and is killed. */
const [role, folder = ''] = process.argv.slice(2)
const counter = join(folder, 'counter')

if (role === 'die') await withLock(folder, async () => process.kill(process.pid, 'SIGKILL'))
for (let turn = 0; turn < 25; turn++) {
  await withLock(folder, async () => {
    const count = Number(await readFile(counter, 'utf8'))
    await writeFile(counter, `${count + 1}`)
  })
}
