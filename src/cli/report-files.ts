import { join } from 'node:path'
import { facts } from './wording.ts'

export type ReportFiles = { report: string; rejects: string; manifest: string }

export const filesIn = (folder: string, name: string): ReportFiles => ({
  report: join(folder, `${name}.report.csv`),
  rejects: join(folder, `${name}.rejects.csv`),
  manifest: join(folder, `${name}.manifest.json`),
})

export const renderFiles = ({ report, rejects, manifest }: ReportFiles): string =>
  facts([
    ['Report', report],
    ['Rejects', rejects],
    ['Manifest', manifest],
  ])
