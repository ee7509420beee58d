import { randomUUID } from 'node:crypto'
import { open } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { FileProblem, FileProblemCode } from '../../files/csv/file-problem.ts'

/** Says in plain words, English and Portuguese, why a file was not taken and what to do. */
export const explainRejection = (name: string, { message, code, line }: FileProblem): string => {
  const where = line === undefined ? '' : `linha ${line}: `
  return [
    `${name} was not taken: ${message}.`,
    `Nothing was looked up and nothing was spent. Mend the file and drop it into the inbox again.`,
    '',
    `${name} não foi aceito: ${where}${inPortuguese[code]}.`,
    `Nada foi consultado e nada foi gasto. Corrija o arquivo e coloque-o de novo na pasta inbox.`,
    '',
  ].join('\r\n')
}

const inPortuguese: Record<FileProblemCode, string> = {
  empty: 'o arquivo está vazio',
  not_text: 'não é um arquivo de texto; salve a planilha como "CSV UTF-8"',
  undecodable: 'há um byte que não é texto válido; salve o arquivo de novo como "CSV UTF-8"',
  nul: 'há um caractere NUL; salve o arquivo de novo como texto CSV',
  unknown_separator:
    'o separador indicado na linha "sep=" não é conhecido; use ponto e vírgula, vírgula, tabulação ou |',
  record_too_long: 'a linha é longa demais; falta uma quebra de linha ou fechar as aspas',
  no_header: 'a primeira linha não é um cabeçalho; acrescente um, com a coluna "documento" ou "numero_processo"',
  no_document_column: 'não há coluna de documentos; dê a ela o nome "documento", "cpf", "cnpj" ou "cpf_cnpj"',
  no_process_column: 'não há coluna de processos; dê a ela o nome "numero_processo"',
  several_document_columns: 'mais de uma coluna pode ser a do documento; renomeie todas menos uma',
  duplicate_headers: 'há colunas com o mesmo nome; dê a cada uma um nome próprio',
}

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
