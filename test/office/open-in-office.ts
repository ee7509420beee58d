import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { basename, extname, join } from 'node:path'

export const officeDocument = ['soffice', 'libreoffice'].find((name) => spawnSync(name, ['--version']).status === 0)
if (!officeDocument) process.stdout.write('skipped: LibreOffice is not installed (Debian: libreoffice-calc)\n')

const python = '/usr/bin/python3'
export const openpyxl = spawnSync(python, ['-c', 'import openpyxl, PIL']).status === 0
if (!openpyxl) process.stdout.write('skipped: openpyxl is not installed (Debian: python3-openpyxl, python3-pil)\n')

/** What a script of this folder prints. */
export const runPython = (script: string, ...args: string[]): string => {
  const run = spawnSync(python, [join(import.meta.dirname, script), ...args], { maxBuffer: 256 * 1024 ** 2 })
  if (run.status !== 0) throw new Error(`${script} failed: ${run.stderr}`)
  return String(run.stdout)
}

/** Files as LibreOffice saves them: in another format, such as `fods` or `csv:…`, or in the same one. */
export const savedByOffice = (paths: string[], format: string, folder: string, ...options: string[]): string[] => {
  const out = join(folder, 'opened')
  mkdirSync(out, { recursive: true })
  const profile = `-env:UserInstallation=file://${join(folder, 'profile')}`
  const to = ['--convert-to', format, '--outdir', out]
  const made = spawnSync(officeDocument!, [profile, '--headless', ...options, ...to, ...paths])
  if (made.status !== 0) throw new Error(`LibreOffice could not open ${paths.join(', ')}: ${made.stderr}`)
  return paths.map((path) => join(out, `${basename(path, extname(path))}.${format.split(':')[0]}`))
}

/** Opens workbooks, and returns each as XML. */
export const opened = (paths: string[], folder: string, ...options: string[]): string[] =>
  savedByOffice(paths, 'fods', folder, ...options).map((path) => readFileSync(path, 'utf8'))

/**
 * Opens CSV files like a person who lets the program evaluate what looks like a formula, and returns each sheet as XML.
 *
 * 34 is the quote, 76 UTF-8, 1046 Brazil; the last value enables the evaluation of formulas.
 */
export const openedCsv = (paths: string[], delimiter: string, folder: string): string[] =>
  opened(paths, folder, `--infilter=CSV:${delimiter.charCodeAt(0)},34,76,1,,1046,false,true,false,false,false,0,true`)
