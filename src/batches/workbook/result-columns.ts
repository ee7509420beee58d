import { classifications } from '../../domain/classifications.ts'
import type { Kind } from '../../domain/kind.ts'
import type { CsvRecord } from '../../files/csv/record-parser.ts'
import type { SheetColumn } from '../../files/xlsx/write/sheet-xml.ts'
import type { WorkbookLabels } from '../../messages/labels.ts'
import { showsRisk } from './result-cells.ts'

/** The columns that a workbook adds on the right: the result of a row, then the cells that PostgreSQL writes. */
export const resultColumns = (kind: Kind, labels: WorkbookLabels): SheetColumn[] => {
  const { columns } = labels
  return [
    { header: columns.status, width: 18 },
    ...(showsRisk(kind) ? [{ header: columns.risk, width: 20 }] : []),
    { header: columns.detail, width: 28 },
    { header: columns.charged, width: 10 },
    { header: columns.repair, width: 16 },
    { header: columns.document, width: 20 },
    { header: columns.asOf, width: 19 },
    { header: columns.id, width: 14 },
    ...kindColumns(kind, labels),
  ]
}

const kindColumns = (kind: Kind, { columns, terms }: WorkbookLabels): SheetColumn[] => {
  switch (kind) {
    case 'analysis':
      return [
        { header: columns.registryName, width: 30 },
        { header: columns.nameMatch, width: 14 },
        { header: columns.protestStatus, width: 16 },
        { header: columns.terms, width: 36 },
        ...classifications.flatMap((key) => [
          { header: columns.count(terms.classifications[key]), width: 13 },
          { header: columns.amount(terms.classifications[key]), width: 17 },
        ]),
      ]
    case 'cnh':
      return [
        { header: columns.cnhStatus, width: 18 },
        { header: columns.cnhData, width: 60 },
      ]
    case 'scr':
      return [{ header: columns.scrData, width: 60 }]
    case 'processes':
      return [{ header: columns.processes, width: 13 }]
    case 'radar':
      return [
        { header: columns.radarId, width: 16 },
        { header: columns.radarActive, width: 12 },
      ]
    case 'inactivation':
      return [{ header: columns.processStatus, width: 22 }]
  }
}

/** The caller's columns, as wide as the header and the first rows of the file need. */
export const ownColumns = (header: readonly string[], first: readonly CsvRecord[]): SheetColumn[] =>
  header.map((name, at) => {
    const longest = Math.max(name.length, ...first.slice(0, 200).map(({ cells }) => longestLine(cells[at] ?? '')))
    return { header: name, width: Math.min(44, Math.max(9, longest + 3)), own: true }
  })

const longestLine = (text: string): number => Math.max(...text.split(/\r?\n/).map((line) => line.length))
