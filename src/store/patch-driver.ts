import { registerHooks } from 'node:module'
import { driverPatches, type Patch } from './driver-patches.ts'

/**
 * Patches postgres.js as it is loaded, so that a server that goes away does not end the worker.
 *
 * Load the driver, then pass it to the returned function: a driver without every patch is refused, whether its text differs
 * or it was loaded from another place.
 */
export const patchDriver = (): ((driver: object) => void) => {
  const hooks = registerHooks({
    load(url, context, next) {
      const loaded = next(url, context)
      const file = /\/node_modules\/postgres\/src\/([^/]+)$/.exec(url)?.[1]
      return isPatched(file) ? { ...loaded, source: patchSource(file, String(loaded.source)) } : loaded
    },
  })
  return (driver) => {
    hooks.deregister()
    const { patches = 0 } = driver as { patches?: number }
    if (patches !== driverPatches.length) {
      throw new Error(`postgres.js carries ${patches} of ${driverPatches.length} patches: ${cure}`)
    }
  }
}

const cure =
  'this version is not the one that src/store/driver-patches.ts is for. `npm ci` brings that one; a newer one needs a look at each patch'

type PatchedFile = Patch['file']

const isPatched = (file: string | undefined): file is PatchedFile => driverPatches.some((patch) => patch.file === file)

/** The source of a file of the driver with its patches, and with their number in what it exports. */
export const patchSource = (file: PatchedFile, source: string, patches: readonly Patch[] = driverPatches): string => {
  const own = patches.filter((patch) => patch.file === file)
  return own.flatMap(({ edits }) => edits).reduce(applyEdit, source) + countOf[file](own.length)
}

const applyEdit = (text: string, [before, after]: [string, string]): string => {
  if (text.split(before).length !== 2) throw new Error(`postgres.js does not read as expected: ${cure}`)
  return text.replace(before, () => after)
}

const countOf: Record<PatchedFile, (count: number) => string> = {
  'connection.js': (count) => `\nConnection.patches = ${count}\n`,
  'index.js': (count) => `\nPostgres.patches = ${count} + (Connection.patches ?? 0)\n`,
}
