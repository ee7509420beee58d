import { existsSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'

const own = new URL('./', import.meta.url).href
const source = new URL('../../src/', import.meta.url).href
const jobs = new URL('../../jobs/', import.meta.url).href

/** What the code under test finds in place of what is outside of a history: the database, sockets, timers, the machine. */
const outside: Record<string, string> = {
  'node:timers/promises': 'time/timers-promises.ts',
  'node:crypto': 'outside/crypto.ts',
  'node:os': 'outside/os.ts',
}

const files: Record<string, string> = {
  'src/registry/transport.ts': 'outside/transport.ts',
  'src/queue/boss.ts': 'outside/boss.ts',
  'src/queue/start-jobs.ts': 'outside/start-jobs.ts',
  'src/queue/boss-tables.ts': 'outside/boss-tables.ts',
  'src/home/high-water.ts': 'outside/high-water.ts',
  'src/batches/own-rows.ts': 'outside/views.ts',
  'src/views/batch-status.ts': 'outside/views.ts',
  'src/views/change.ts': 'outside/views.ts',
  'src/views/parked.ts': 'outside/views.ts',
  'src/views/sweep.ts': 'outside/views.ts',
  'src/batches/download-folder.ts': 'outside/files.ts',
  'src/batches/export.ts': 'outside/files.ts',
  'src/batches/stored-file.ts': 'outside/files.ts',
  'src/monitoring/blank-records.ts': 'outside/files.ts',
  'src/monitoring/erase-files.ts': 'outside/files.ts',
  'src/monitoring/changes-file.ts': 'outside/files.ts',
}

const root = new URL('../../', import.meta.url).href

const substituteFor = (address: string): string | null => {
  if (!address.startsWith(source)) return null
  const path = address.slice(root.length)
  if (files[path]) return own + files[path]
  if (!path.startsWith('src/store/')) return null
  const model = own + path.replace('src/store/', 'store/')
  return existsSync(fileURLToPath(model)) ? model : null
}

/** From here on, modules of the product that reach outside are replaced by their models. */
export const substituteOutside = (): void => {
  registerHooks({
    resolve(specifier, context, next) {
      const parent = context.parentURL ?? ''
      const isOurs = parent.startsWith(source) || parent.startsWith(jobs)
      if (isOurs && outside[specifier]) return next(own + outside[specifier], context)
      const found = next(specifier, context)
      if (parent === `${source}engine/chunk.ts` && specifier === '../domain/advance.ts')
        return next(`${own}outside/advance.ts`, context)
      const substitute = isOurs && specifier.startsWith('.') ? substituteFor(found.url) : null
      return substitute ? { ...found, url: pathToFileURL(fileURLToPath(substitute)).href } : found
    },
  })
}
