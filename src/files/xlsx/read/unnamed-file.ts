import { mkdtempSync, openSync, rmSync } from 'node:fs'
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { oversizedPart } from '../../file-problem.ts'

const folderName = join(tmpdir(), 'vigia-workbook-')

/** A file that only this process can open and that disappears when the process ends: it holds documents of people. */
export const openUnnamedFile = (): number => {
  const folder = mkdtempSync(folderName)
  try {
    return openSync(join(folder, 'bytes'), 'wx+', 0o600)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Writes a stream to such a file: a zip can only be read from its end. */
export const putDown = async (source: AsyncIterable<Uint8Array>, most: number): Promise<FileHandle> => {
  const folder = await mkdtemp(folderName)
  const file = await open(join(folder, 'bytes'), 'wx+', 0o600).finally(() => rm(folder, { recursive: true }))
  try {
    let size = 0
    for await (const bytes of source) {
      size += bytes.length
      if (size > most) throw oversizedPart(['the_file'], most, 'bytes')
      await file.writeFile(bytes)
    }
    return file
  } catch (error) {
    await file.close()
    throw error
  }
}
