import { registerHooks } from 'node:module'

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
  'this version is not the one that src/store/driver.ts is for. `npm ci` brings that one; a newer one needs a look at each patch'

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

/** A patch of one fault in the driver: each edit names the text it expects and its replacement. */
export type Patch = {
  name: string
  file: 'connection.js' | 'index.js'
  edits: [before: string, after: string][]
}

/**
 * The faults of postgres.js 3.4.9 that matter to a worker that must outlive its server.
 *
 * `docs/upstream` has each fault and its change for the authors of the driver, `CONTRIBUTING.md` what each patch waits for, and
 * `test/store/driver.slow.test.ts` what happens without it.
 */
export const driverPatches: Patch[] = [
  {
    // A connection that closes while a write is delayed never learns that the write is over, and sends nothing again.
    name: 'forgotten-write',
    file: 'connection.js',
    edits: [
      [
        '    clearImmediate(nextWriteTimer)\n    socket.removeListener',
        '    clearImmediate(nextWriteTimer)\n    chunk = nextWriteTimer = null\n    socket.removeListener',
      ],
    ],
  },
  {
    // A transaction whose connection is gone is rejected, but its body continues: its next statement, or its rollback,
    // would run outside a transaction on the new connection.
    name: 'lost-transaction',
    file: 'index.js',
    edits: [
      [
        'new Promise((_, reject) => connection.onclose = reject)',
        'new Promise((_, reject) => connection.onclose = e => reject(lost = e))',
      ],
      ['let savepoints = 0\n      , connection', 'let savepoints = 0\n      , lost = null\n      , connection'],
      [
        '        c.queue === full\n          ? queries.push(q)',
        '        lost ? q.reject(lost) : c.queue === full\n          ? queries.push(q)',
      ],
    ],
  },
]

const confirmPatched = patchDriver()
const { default: driver } = await import('postgres')
confirmPatched(driver)

/** postgres.js with its patches; it must not be imported anywhere else. */
export { driver }
