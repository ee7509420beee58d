import { batchOrRefuse } from '../../../batches/batch-or-refuse.ts'
import { compareBatches } from '../../../batches/compare-batches.ts'
import { readOwnNames, readOwnRows } from '../../../batches/own-rows.ts'
import {
  csvOfTable,
  figureCell,
  type TableCell,
  type TableToTake,
  workbookOfTable,
} from '../../../batches/table-file.ts'
import { formatDocument } from '../../../domain/document.ts'
import { addendsOf, scoreOf } from '../../../domain/exposure.ts'
import { changeCells, changeColumns } from '../../../monitoring/changes-file.ts'
import { placesOfLines, readRanking } from '../../../store/batches/risk.ts'
import { recordAudit } from '../../../store/people/audit.ts'
import { listChanges } from '../../../views/change.ts'
import { idIn } from '../../address.ts'
import { type Pages, sendDownload, type Visit } from '../../visit.ts'
import { rankingFilterOf, riskBatch } from './risk-page.ts'

const most = 10_000

type Download = { table: TableToTake; subject: string }

/** Ranking, comparison and changes as CSV and workbook. Like a report they contain full documents, so each is audited. */
export const addRiskDownloads = ({ page }: Pages): void => {
  const take = (url: string, name: string, make: (visit: Visit) => Promise<Download>): void => {
    for (const format of ['csv', 'xlsx'] as const) {
      page('analyst', `${url}.${format}`, async (visit) => {
        const { table, subject } = await make(visit)
        await recordAudit(visit.sql, visit.by, 'download', subject, { file: `${name}.${format}` })
        const content = format === 'csv' ? csvOfTable(table) : workbookOfTable(table, visit.clock())
        return sendDownload(visit.reply, `${subject.replaceAll(' ', '-')}.${name}.${format}`, content)
      })
    }
  }
  take('/batches/:batch/risk/ranking', 'ranking', rankingTable)
  take('/batches/:batch/compare/:earlier', 'comparison', comparisonTable)
  take('/changes/:sweep', 'changes', changesTable)
}

const rankingTable = async (visit: Visit) => {
  const { sql } = visit
  const batch = await riskBatch(visit)
  const filter = rankingFilterOf(visit)
  const ranked = await readRanking(sql, batch.id, filter, most)
  const own = await readOwnRows(sql, batch, ranked, true)
  const keys = addendsOf({ counts: [], cents: null }, filter.weights)
  const columns = [
    'place',
    'line',
    'document',
    'name',
    'ref',
    'weighed_sum',
    ...keys.flatMap(({ key }) => [`${key}_count`, `${key}_value`, `${key}_weight`]),
  ]
  const rows = ranked.map((each, at): TableCell[] => {
    const addends = addendsOf(each, filter.weights)
    const score = scoreOf(addends)
    const { name = null, ref = null } = own.get(each.line) ?? {}
    return [
      at + 1,
      each.line,
      formatDocument(each.question),
      name,
      ref,
      score === null ? null : { cents: score },
      ...addends.flatMap(({ count, cents, weight }) => [count, cents === null ? null : { cents }, weight]),
    ]
  })
  return { table: { title: visit.labels.risk.title, columns, rows }, subject: `batch ${batch.id}` }
}

const comparisonTable = async (visit: Visit) => {
  const { sql } = visit
  const batch = await riskBatch(visit)
  const earlier = await batchOrRefuse(sql, idIn(visit.request.params, 'earlier'))
  const { figures } = await compareBatches(sql, earlier.id, batch.id, most)
  const lines = await placesOfLines(sql, batch.id, [...new Set(figures.map(({ line }) => line))])
  const own = await readOwnRows(sql, batch, lines, true)
  const rows = figures.map(({ line, question, field, verdict, before, after }): TableCell[] => [
    line,
    formatDocument(question),
    own.get(line)?.name ?? null,
    own.get(line)?.ref ?? null,
    field,
    verdict,
    figureCell(before),
    figureCell(after),
  ])
  return {
    table: {
      title: visit.labels.risk.compare,
      columns: ['line', 'document', 'name', 'ref', 'field', 'verdict', 'before', 'after'],
      rows,
    },
    subject: `batch ${batch.id}`,
  }
}

const changesTable = async ({ sql, request, settings, labels }: Visit) => {
  const sweepId = idIn(request.params, 'sweep')
  const changes = await listChanges(sql, { sweepId, limit: most })
  const ownNames = await readOwnNames(sql, changes, true)
  const rows = changes.map((each) => changeCells(each, ownNames(each), settings.timezone))
  return { table: { title: labels.shell.changes, columns: changeColumns, rows }, subject: `sweep ${sweepId}` }
}
