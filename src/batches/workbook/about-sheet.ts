import { localMinute } from '../../domain/calendar.ts'
import { type Classification, classifications, riskLevels } from '../../domain/classifications.ts'
import { textCell, type WrittenCell } from '../../files/xlsx/write/cell-xml.ts'
import type { CellEmphasis } from '../../files/xlsx/write/styles-xml.ts'
import type { SheetToWrite } from '../../files/xlsx/write-workbook.ts'
import type { WorkbookLabels } from '../../messages/labels.ts'
import { term } from '../../messages/term.ts'
import type { Batch } from '../../store/batches/batches.ts'
import { showsRisk } from '../result-columns.ts'
import { outcomeEmphasis, riskEmphasis } from './sheet-results.ts'

type TextContext = { timezone: string; now: Date }

/** The origin, the date and the terms of a report, for readers who have nothing but the workbook. */
export const aboutSheet = (batch: Batch, context: TextContext, labels: WorkbookLabels): SheetToWrite => ({
  name: labels.sheets.about,
  columns: [30, 36, 84].map((width) => ({ width })),
  rows: { cells: [...factRows(batch, context, labels), ...meaningRows(batch, labels)] },
})

type Row = WrittenCell[]

const cell = (text: string, emphasis?: CellEmphasis): WrittenCell => textCell(text, 'label', emphasis)
const empty = cell('')

const factRows = (batch: Batch, { timezone, now }: TextContext, labels: WorkbookLabels): Row[] => {
  const { about, terms } = labels
  const moment = (at: Date | null): WrittenCell =>
    at ? { text: `${localMinute(at, timezone).replace('T', ' ')}:00`, type: 'D', look: 'moment' } : cell('–')
  const facts: [string, WrittenCell][] = [
    [about.file, cell(batch.fileName ?? batch.name)],
    [about.sha256, cell(batch.sha256 ?? '–')],
    [about.batch, cell(`${batch.id}`)],
    [about.state, cell(terms.batchStates[batch.shown])],
    [about.kind, cell(terms.kinds[batch.kind])],
    [about.organization, cell(`${batch.organizationId}`)],
    [about.submitted, moment(batch.createdAt)],
    [about.started, moment(batch.startedAt)],
    [about.finished, moment(batch.finishedAt)],
    [about.exported, moment(now)],
    [about.timezone, cell(timezone)],
  ]
  return [
    [textCell(labels.title(batch.fileName ?? batch.name), 'title')],
    [],
    ...facts.map(([name, value]) => [cell(name), value]),
    [],
    [cell(about.from)],
    [cell(about.empty)],
    [],
  ]
}

const meaningRows = ({ kind }: Batch, labels: WorkbookLabels): Row[] => {
  const { about, terms, outcomes, risks, riskMeanings, classes } = labels
  const head = (name: string) => [name, about.code, about.meaning].map((each) => textCell(each, 'section'))
  const states = Object.entries(outcomes).map(([state, meaning]) => [
    cell(term(terms.outcomes, state), outcomeEmphasis(state)),
    cell(state),
    textCell(meaning, 'prose'),
  ])
  const levels = riskLevels.map((level) => [
    cell(risks[level], riskEmphasis(level)),
    empty,
    textCell(riskMeanings[level], 'prose'),
  ])
  const classRow = (key: Classification) => [
    cell(terms.classifications[key]),
    cell(key),
    textCell(classes[key], 'prose'),
  ]
  return [
    head(about.outcomes),
    ...states,
    ...(showsRisk(kind) ? [[], head(about.risks), ...levels] : []),
    ...(kind === 'analysis'
      ? [[], head(about.classes), ...classifications.map(classRow), [cell(about.classesNote)]]
      : []),
  ]
}
