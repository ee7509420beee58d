import { randomUUID } from 'node:crypto'
import { open } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { inEnglish } from '../../domain/said/english.ts'
import { inPortuguese } from '../../domain/said/portuguese.ts'
import type { FileProblem } from '../../files/file-problem.ts'

/** Says in plain words, English and Portuguese, why a file was not taken and what to do. */
export const explainRejection = (name: string, { said, asksForChoice }: FileProblem): string =>
  [
    `${name} was not taken: ${inEnglish(said)}.`,
    ...(asksForChoice
      ? [`An option goes with \`vigia submit\`, once: files with the same headers are then read alike.`]
      : []),
    `Nothing was looked up and nothing was spent. Mend the file and drop it into the inbox again.`,
    '',
    `${name} não foi aceito: ${inPortuguese(said)}.`,
    ...(asksForChoice
      ? [
          `Uma opção se usa com \`vigia submit\`, uma vez: arquivos com o mesmo cabeçalho são lidos assim daí em diante.`,
        ]
      : []),
    `Nada foi consultado e nada foi gasto. Corrija o arquivo e coloque-o de novo na pasta inbox.`,
    '',
  ].join('\r\n')

/**
 * Reserves a name in a folder for a file that is about to be moved there: its own, or one with the time added.
 *
 * An empty file holds the name, since a move by itself would silently replace what is there.
 */
export const reserveName = async (folder: string, name: string, now: Date): Promise<string> => {
  const stamp = now
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replaceAll(':', '-')
  for (const added of ['', `.${stamp}`]) {
    const path = join(folder, withAdded(name, added))
    if (await reserved(path)) return path
  }
  const path = join(folder, withAdded(name, `.${stamp}.${randomUUID().slice(0, 8)}`))
  if (await reserved(path)) return path
  throw new Error(`No free name for ${name} in ${folder}`)
}

/** What is added stands before the ending; a name that would become too long for a disk loses its own end. */
const withAdded = (name: string, added: string): string => {
  const ending = extname(name)
  const stem = name.slice(0, name.length - ending.length)
  const room = longestName - Buffer.byteLength(ending) - added.length
  return `${added ? [...stem].slice(0, Math.floor(room / 4)).join('') : stem}${added}${ending}`
}

/** In bytes; a character takes up to four. A little is left for `.txt`. */
const longestName = 250

const reserved = (path: string): Promise<boolean> =>
  open(path, 'wx', 0o600).then(
    async (file) => {
      await file.close()
      return true
    },
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return false
      throw error
    },
  )
