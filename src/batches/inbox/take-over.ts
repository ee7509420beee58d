import { readdir, rename, rmdir, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { identify } from '../../home/process-identity.ts'
import { type Claim, type ClaimOwner, claimName, readClaimName } from './claim-file.ts'
import type { Place } from './places.ts'

/** Takes up the files that killed workers had in hand. Each is claimed by one move again, so two cannot both have it. */
export async function* takeOver(processing: string, places: Place[], now: Date): AsyncGenerator<Claim> {
  for (const name of await readdir(processing)) {
    const claimed = readClaimName(name)
    const place = places.find(({ folder }) => folder === claimed?.folder)
    if (!claimed || !place || !(await isAbandoned(join(processing, name), claimed, now))) continue
    const folder = join(processing, claimName(place))
    if (!(await moved(join(processing, name), folder))) continue
    const [file] = await readdir(folder)
    if (file) yield { folder, path: join(folder, file), name: file, place }
    else await rmdir(folder)
  }
}

/** Of another machine on the same disk nothing is known but how long ago it claimed the file. */
const isAbandoned = async (path: string, { host, owner }: ClaimOwner, now: Date): Promise<boolean> => {
  if (host === hostname()) return identify(Number.parseInt(owner, 10)) !== owner
  const claimed = await stat(path).catch(() => null)
  return claimed !== null && now.getTime() - claimed.mtimeMs > foreignPatience
}

const foreignPatience = 15 * 60_000

const moved = (from: string, to: string): Promise<boolean> =>
  rename(from, to).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false
      throw error
    },
  )
