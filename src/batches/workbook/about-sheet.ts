import { localMinute } from '../../domain/calendar.ts'
import { type Classification, classifications, riskLevels } from '../../domain/classifications.ts'
import { term } from '../../domain/terms/term.ts'
import { textCell, type WrittenCell } from '../../files/xlsx/write/cell-xml.ts'
import type { CellMark } from '../../files/xlsx/write/styles-xml.ts'
import type { SheetToWrite } from '../../files/xlsx/write-workbook.ts'
import type { Batch } from '../../store/batches/batches.ts'
import { outcomeMark, riskMark, saysRisk } from './told-cells.ts'
import type { WorkbookWords } from './words.ts'

type Telling = { timezone: string; now: Date }

/** Where a report comes from, what it tells of, and what its words mean, for whoever gets the workbook and nothing else. */
export const aboutSheet = (batch: Batch, telling: Telling, words: WorkbookWords): SheetToWrite => ({
  name: words.sheets.about,
  columns: [30, 36, 84].map((width) => ({ width })),
  rows: { cells: [...factRows(batch, telling, words), ...meaningRows(batch, words)] },
})

type Row = WrittenCell[]

const label = (text: string, mark?: CellMark): WrittenCell => textCell(text, 'label', mark)
const empty = label('')

const factRows = (batch: Batch, { timezone, now }: Telling, words: WorkbookWords): Row[] => {
  const { about, terms } = words
  const moment = (at: Date | null): WrittenCell =>
    at ? { text: `${localMinute(at, timezone).replace('T', ' ')}:00`, type: 'D', look: 'moment' } : label('–')
  const facts: [string, WrittenCell][] = [
    [about.file, label(batch.fileName ?? batch.name)],
    [about.sha256, label(batch.sha256 ?? '–')],
    [about.batch, label(`${batch.id}`)],
    [about.state, label(terms.batchStates[batch.shown])],
    [about.kind, label(terms.kinds[batch.kind])],
    [about.organization, label(`${batch.organizationId}`)],
    [about.submitted, moment(batch.createdAt)],
    [about.started, moment(batch.startedAt)],
    [about.finished, moment(batch.finishedAt)],
    [about.exported, moment(now)],
    [about.timezone, label(timezone)],
  ]
  return [
    [textCell(words.title(batch.fileName ?? batch.name), 'title')],
    [],
    ...facts.map(([name, value]) => [label(name), value]),
    [],
    [label(about.from)],
    [label(about.empty)],
    [],
  ]
}

const meaningRows = ({ kind }: Batch, words: WorkbookWords): Row[] => {
  const { about, terms, outcomes, risks, riskMeanings, classes } = words
  const head = (name: string) => [name, about.code, about.meaning].map((each) => textCell(each, 'section'))
  const states = Object.entries(outcomes).map(([state, meaning]) => [
    label(term(terms.outcomes, state), outcomeMark(state)),
    label(state),
    textCell(meaning, 'prose'),
  ])
  const levels = riskLevels.map((level) => [
    label(risks[level], riskMark(level)),
    empty,
    textCell(riskMeanings[level], 'prose'),
  ])
  const classRow = (key: Classification) => [
    label(terms.classifications[key]),
    label(key),
    textCell(classes[key], 'prose'),
  ]
  return [
    head(about.outcomes),
    ...states,
    ...(saysRisk(kind) ? [[], head(about.risks), ...levels] : []),
    ...(kind === 'analysis'
      ? [[], head(about.classes), ...classifications.map(classRow), [label(about.classesNote)]]
      : []),
  ]
}
