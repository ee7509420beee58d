import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'

export const officeDocument = ['soffice', 'libreoffice'].find((name) => spawnSync(name, ['--version']).status === 0)

/**
 * Opens CSV files like a person who lets the program evaluate what looks like a formula, and returns each sheet as XML.
 *
 * 34 is the quote, 76 UTF-8, 1046 Brazil; the last value enables the evaluation of formulas.
 */
export const sheetsOf = (paths: string[], delimiter: string, folder: string): string[] => {
  const out = join(folder, `opened ${delimiter.charCodeAt(0)}`)
  mkdirSync(out, { recursive: true })
  const made = spawnSync(officeDocument!, [
    `-env:UserInstallation=file://${join(folder, 'profile')}`,
    '--headless',
    `--infilter=CSV:${delimiter.charCodeAt(0)},34,76,1,,1046,false,true,false,false,false,0,true`,
    ...['--convert-to', 'fods', '--outdir', out],
    ...paths,
  ])
  if (made.status !== 0) throw new Error(`LibreOffice could not open ${paths.join(', ')}: ${made.stderr}`)
  return paths.map((path) => readFileSync(join(out, basename(path).replace(/\.csv$/, '.fods')), 'utf8'))
}

/** Opens workbooks, and returns each as XML. */
export const ledgerOf = (paths: string[], folder: string): string[] => {
  const out = join(folder, 'opened')
  mkdirSync(out, { recursive: true })
  const profile = `-env:UserInstallation=file://${join(folder, 'profile')}`
  const made = spawnSync(officeDocument!, [profile, '--headless', '--convert-to', 'fods', '--outdir', out, ...paths])
  if (made.status !== 0) throw new Error(`LibreOffice could not open ${paths.join(', ')}: ${made.stderr}`)
  return paths.map((path) => readFileSync(join(out, basename(path).replace(/\.xlsx$/, '.fods')), 'utf8'))
}
