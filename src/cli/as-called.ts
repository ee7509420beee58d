import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/**
 * Writes the commands in a text as whoever reads it can call them: `npx vigia` in a checkout, where no `vigia` is on the
 * PATH. What npm puts on it for the time of one call does not count.
 */
export const asCalled = (text: string, env: Record<string, string | undefined>): string =>
  programName(env) === 'vigia' ? text : text.replaceAll(hints, '$1npx vigia ')

export const programName = ({ PATH }: Record<string, string | undefined>): 'vigia' | 'npx vigia' => {
  if (PATH === undefined) return 'vigia'
  const folders = PATH.split(delimiter).filter((folder) => folder !== '' && !/node_modules[\\/]\.bin$/.test(folder))
  return folders.some((folder) => existsSync(join(folder, 'vigia'))) ? 'vigia' : 'npx vigia'
}

/** A command stands in backticks or quotes, or after the prompt of an example. */
const hints = /([`']|\$ (?:\w+=\S+ )?)vigia (?=[A-Za-z-])/g
