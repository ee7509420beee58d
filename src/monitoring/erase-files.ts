import { createReadStream, type Dirent } from 'node:fs'
import { open as openFile, readdir, readFile, rename, rm } from 'node:fs/promises'
import { basename, dirname, join, parse } from 'node:path'
import { readLayout } from '../batches/read-layout.ts'
import { writeWhole } from '../batches/whole-file.ts'
import { isWorkbook } from '../files/xlsx/read/recognise-file.ts'
import type { Home } from '../home/folders.ts'
import { blankRecords, recordsAbout } from './blank-records.ts'
import { countRowsAbout } from './erase-workbooks.ts'

export type ErasedFiles = { blanked: number; deleted: number }

/** A file or folder under the home that holds the person, and what erasing does with it; a name alone is changed. */
type FileAbout = {
  path: string
  fate: 'blanked' | 'deleted' | 'renamed'
  rewritten: (() => AsyncIterable<Buffer>) | null
}

/**
 * The files under the home that hold a person: what people dropped, files of changes, and whatever else names them.
 * This is what `eraseFromFiles` erases, and all of it.
 */
export const filesAbout = async (home: Home, document: string, texts: string[]): Promise<FileAbout[]> => {
  const found: FileAbout[] = []
  for (const folder of [home.inbox, home.processing, home.archive, home.outbox]) {
    const { files, folders } = await entriesIn(folder)
    for (const path of files) {
      const about = await judgeFile(path, document, texts)
      if (about) found.push(about)
    }
    // After their files, and the inner before the outer: a new name changes the way to all that lies below it.
    const named = folders.filter((path) => isNamed(path, texts)).toSorted((a, b) => b.length - a.length)
    found.push(...named.map((path) => ({ path, fate: 'renamed' as const, rewritten: null })))
  }
  return found
}

/**
 * Takes a person out of the files under the home: rows of what people dropped are blanked, lines of the files of
 * changes are dropped, and whatever else names the person is deleted whole.
 */
export const eraseFromFiles = async (home: Home, document: string, texts: string[]): Promise<ErasedFiles> => {
  const erased = { blanked: 0, deleted: 0 }
  for (const { path, fate, rewritten } of await filesAbout(home, document, texts)) {
    if (fate !== 'renamed') erased[fate]++
    if (fate === 'deleted') await rm(path, { force: true })
    else {
      if (rewritten) await writeWhole(path, rewritten())
      if (isNamed(path, texts)) await rename(path, await namelessPath(path, texts))
    }
  }
  return erased
}

const isNamed = (path: string, texts: string[]): boolean => texts.some((text) => basename(path).includes(text))

/** The same place under a name without the person; one that an earlier erasure took is left alone. */
const namelessPath = async (path: string, texts: string[]): Promise<string> => {
  const { name, ext } = parse(texts.reduce((rest, text) => rest.replaceAll(text, 'erased'), basename(path)))
  const taken = new Set(await readdir(dirname(path)))
  for (let n = 1; ; n++) {
    const free = `${name}${n === 1 ? '' : `-${n}`}${ext}`
    if (!taken.has(free)) return join(dirname(path), free)
  }
}

const judgeFile = async (path: string, document: string, texts: string[]): Promise<FileAbout | null> => {
  const rewritten = /^(changes-[\d-]+|differences-.+)\.csv$/.test(basename(path))
    ? await withoutLines(path, texts)
    : await withoutRows(path, document, texts)
  if (rewritten) return { path, fate: 'blanked', rewritten }
  if ((await isWorkbookAbout(path, document, texts)) || (await mentionsIn(createReadStream(path), texts)))
    return { path, fate: 'deleted', rewritten: null }
  return isNamed(path, texts) ? { path, fate: 'renamed', rewritten: null } : null
}

const withoutRows = async (path: string, document: string, texts: string[]): Promise<FileAbout['rewritten']> => {
  const open = () => createReadStream(path)
  const table = { open, sheet: null, text: null, [Symbol.asyncDispose]: async () => {} }
  const request = { kind: 'analysis', choice: {}, remembered: [] } as const
  const layout = await readLayout(table, request).then(
    (read) => read.layout,
    () => null,
  )
  const ranges = layout ? await recordsAbout(open(), layout, document, texts).catch(() => []) : []
  return layout && ranges.length > 0 ? () => blankRecords(open(), layout.dialect, ranges) : null
}

/** The cells of a workbook are packed, so its bytes tell nothing. */
const isWorkbookAbout = async (path: string, document: string, texts: string[]): Promise<boolean> => {
  await using file = await openFile(path)
  const { buffer, bytesRead } = await file.read(Buffer.alloc(512), 0, 512, 0)
  return isWorkbook(buffer.subarray(0, bytesRead)) && (await countRowsAbout(path, document, texts)) > 0
}

/** Vigia's own file has a change on each line. */
const withoutLines = async (path: string, texts: string[]): Promise<FileAbout['rewritten']> => {
  const lines = (await readFile(path, 'utf8')).split('\r\n')
  const kept = lines.filter((line) => !texts.some((text) => line.includes(text)))
  if (kept.length === lines.length) return null
  return async function* () {
    yield Buffer.from(kept.join('\r\n'))
  }
}

/** In any of the encodings that Vigia reads; a text may lie across two pieces of the file. */
export const mentionsIn = async (source: AsyncIterable<Uint8Array>, texts: string[]): Promise<boolean> => {
  const needles = texts.flatMap((text) => {
    const wide = Buffer.from(text, 'utf16le')
    return [Buffer.from(text), wide, Buffer.from(wide).swap16()]
  })
  let tail: Buffer = Buffer.alloc(0)
  for await (const chunk of source) {
    const bytes = Buffer.concat([tail, chunk])
    if (needles.some((needle) => bytes.includes(needle))) return true
    tail = bytes.subarray(-64)
  }
  return false
}

const entriesIn = async (folder: string): Promise<{ files: string[]; folders: string[] }> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const whole = entries.filter((entry) => entry.isFile() && !entry.name.endsWith('.part'))
  const pathOf = (entry: Dirent) => join(entry.parentPath, entry.name)
  return { files: whole.map(pathOf), folders: entries.filter((entry) => entry.isDirectory()).map(pathOf) }
}
