import { execFileSync } from 'node:child_process'
import { delimiter, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')

export type Packed = { filename: string; unpackedSize: number; files: { path: string; mode: number }[] }

/** The result of `npm pack` in this checkout. */
export const pack = (...options: string[]): Packed => {
  const printed = execFileSync('npm', ['pack', '--json', ...options], { cwd: root, encoding: 'utf8', stdio: 'pipe' })
  const answer = JSON.parse(printed.slice(printed.search(/^[[{]/m))) as Packed[] | Record<string, Packed>
  return Object.values(answer)[0]!
}

/** The path of a user who has only what the machine has: nothing from this checkout. */
export const pathOfTheMachine = (process.env.PATH ?? '')
  .split(delimiter)
  .filter((folder) => !folder.includes('node_modules'))
  .join(delimiter)
