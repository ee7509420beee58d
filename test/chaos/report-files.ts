import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import type { Manifest } from '../../src/batches/manifest.ts'

type Row = Record<string, string>

/** The three files of a batch, and the sizes and hashes on the disk of two of them. */
export type Files = {
  report: Row[]
  rejects: Row[]
  manifest: Manifest
  written: Record<'report' | 'rejects', { sha256: string; bytes: number }>
}

export const readFiles = async (folder: string, name: string): Promise<Files> => {
  const [report, rejects, manifest] = await Promise.all(
    ['report.csv', 'rejects.csv', 'manifest.json'].map((outcome) => readFile(join(folder, `${name}.${outcome}`))),
  )
  return {
    report: rowsOf(report!),
    rejects: rowsOf(rejects!),
    manifest: JSON.parse(manifest!.toString()) as Manifest,
    written: { report: sumOf(report!), rejects: sumOf(rejects!) },
  }
}

const rowsOf = (bytes: Buffer): Row[] => parse(bytes, { bom: true, columns: true, delimiter: ';' })

const sumOf = (bytes: Buffer) => ({ sha256: createHash('sha256').update(bytes).digest('hex'), bytes: bytes.length })

/** Rows in = rows out, complete or partial: report and rejects add up, and so do the counts per state. */
export const checkConserved = (files: Files, rows: number): string[] => {
  const { report, rejects, manifest, written } = files
  const states = Map.groupBy(report, (row) => row.result_status ?? '')
  const counted = [...states].map(([state, group]) => [state, group.length] as const)
  const all = rejects.length > 0 ? [...counted, ['rejected', rejects.length] as const] : counted
  const shown = JSON.stringify(manifest.states)
  const found = JSON.stringify(Object.fromEntries(all.toSorted(([a], [b]) => (a < b ? -1 : 1))))
  const sum = Object.values(manifest.states).reduce((total, count) => total + count, 0)
  return [
    ...(report.length + rejects.length === rows
      ? []
      : [`${report.length} rows reported and ${rejects.length} rejected of ${rows}`]),
    ...(manifest.rows === rows && sum === rows ? [] : [`its manifest counts ${manifest.rows} rows, ${sum} by state`]),
    ...(shown === found ? [] : [`its manifest says ${shown}, its files ${found}`]),
    ...(manifest.complete === !states.has('pending') ? [] : ['its manifest is wrong about being complete']),
    ...(JSON.stringify(manifest.files) === JSON.stringify(written) ? [] : ['its files are not those of its manifest']),
  ]
}
