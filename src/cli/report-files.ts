import { join } from 'node:path'
import type { Home } from '../home/folders.ts'
import { facts } from './wording.ts'

export type ReportFiles = { report: string; rejects: string; manifest: string }

/** Where the three files of a batch are put unless someone says otherwise. */
export const outboxFolder = ({ outbox }: Home, { name, id }: { name: string; id: bigint }): string =>
  join(outbox, `${name}.${id}`)

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
