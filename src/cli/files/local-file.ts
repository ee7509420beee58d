import { createReadStream } from 'node:fs'
import { access, constants, stat } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import type { Submission } from '../../batches/submit.ts'
import type { ReportFormat } from '../../domain/batch.ts'
import { FileProblem } from '../../files/file-problem.ts'
import { makeFolder } from '../../home/folders.ts'
import { submissionOf } from '../../operations/files.ts'
import { CommandFailure, UsageError, whoCalls } from '../command.ts'
import { renderFacts } from '../lines/texts.ts'
import type { OpenInstallation } from '../open.ts'
import { type FileOptions, organizationsOf, readOptionsOf } from '../options.ts'

/** Checks that every file can be read, before the first is processed. */
export const checkFiles = async (paths: readonly string[]): Promise<void> => {
  for (const path of paths) {
    const found = await stat(path).catch(() => null)
    if (!found) throw new UsageError(`file not found: ${path}`)
    if (!found.isFile()) throw new UsageError(`${path} is a folder; name the files in it`)
    await access(path, constants.R_OK).catch(() => {
      throw new UsageError(`${path} cannot be read: check its permissions`)
    })
  }
}

/** Checks that reports can be written there, before anything is spent. */
export const checkOut = async (folder: string | undefined): Promise<void> => {
  if (folder === undefined) return
  try {
    await makeFolder(resolve(folder), 0o700)
    await access(folder, constants.W_OK)
  } catch (error) {
    throw new UsageError(`--out ${folder} is not a writable folder: ${(error as Error).message}`)
  }
}

export const openLocalFile = (
  path: string,
  { content }: { content?: Buffer },
  signal?: AbortSignal,
): AsyncIterable<Uint8Array> => (content ? Readable.from([content]) : createReadStream(path, { signal }))

/** Adds the path of the file to its error. */
export const aboutFile = async <T>(path: string, action: () => Promise<T>): Promise<T> => {
  try {
    return await action()
  } catch (cause) {
    if (!(cause instanceof FileProblem)) throw cause
    const message = `${path}: ${cause.message}`
    if (cause.code === 'empty') throw new UsageError(message, { cause })
    throw new CommandFailure(message, { cause })
  }
}

/** The paths of a report; `workbook` if there is one. */
export type ReportFiles = { report: string; rejects: string; manifest: string; workbook?: string }

export const filesIn = (folder: string, name: string, format: ReportFormat): ReportFiles => ({
  report: join(folder, `${name}.report.csv`),
  rejects: join(folder, `${name}.rejects.csv`),
  manifest: join(folder, `${name}.manifest.json`),
  ...(format === 'xlsx' && { workbook: join(folder, `${name}.report.xlsx`) }),
})

export const renderFiles = ({ report, rejects, manifest, workbook }: ReportFiles): string =>
  renderFacts({
    Workbook: workbook ?? null,
    Report: report,
    Rejects: rejects,
    Manifest: manifest,
  })

/** The submission of a file by a command. */
export const localSubmission = (
  file: string,
  { settings, clock }: OpenInstallation,
  options: FileOptions,
  signal: AbortSignal,
): Submission => {
  const accounts = organizationsOf(settings)
  const given = { encoding: 'utf8' as const, ...options, ...localFile(file, options, signal) }
  return {
    ...submissionOf({ settings, clock, accounts, by: whoCalls() }, given),
    source: 'cli',
    confirmAbove: options.yes ? null : settings.budget.confirmAbove,
    spreadsheets: options.withSpreadsheets ?? false,
  }
}

/** A file of this machine, and how to read it, as an operation takes them. */
export const localFile = (path: string, options: Partial<FileOptions>, signal?: AbortSignal) => ({
  ...readOptionsOf(options),
  file: { name: basename(path), bytes: openLocalFile(path, options, signal) },
})
