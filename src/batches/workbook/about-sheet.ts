import { localMinute } from '../../domain/calendar.ts'
import { type Classification, classifications, riskLevels } from '../../domain/classifications.ts'
import { term } from '../../domain/terms/term.ts'
import type { WrittenCell } from '../../files/xlsx/write/cell-xml.ts'
import type { CellLook, CellMark } from '../../files/xlsx/write/styles-xml.ts'
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

const text = (value: string, look: CellLook = 'label', mark: CellMark = 'none'): WrittenCell => ({
  text: value,
  type: 't',
  look,
  mark,
})
const empty = text('')

const factRows = (batch: Batch, { timezone, now }: Telling, words: WorkbookWords): Row[] => {
  const { about, terms } = words
  const moment = (at: Date | null): WrittenCell =>
    at ? { text: `${localMinute(at, timezone).replace('T', ' ')}:00`, type: 'D', look: 'moment' } : text('–')
  const facts: [string, WrittenCell][] = [
    [about.file, text(batch.fileName ?? batch.name)],
    [about.sha256, text(batch.sha256 ?? '–')],
    [about.batch, text(`${batch.id}`)],
    [about.state, text(terms.batchStates[batch.shown])],
    [about.kind, text(terms.kinds[batch.kind])],
    [about.organization, text(`${batch.organizationId}`)],
    [about.submitted, moment(batch.createdAt)],
    [about.started, moment(batch.startedAt)],
    [about.finished, moment(batch.finishedAt)],
    [about.exported, moment(now)],
    [about.timezone, text(timezone)],
  ]
  return [
    [text(words.title(batch.fileName ?? batch.name), 'title')],
    [],
    ...facts.map(([name, value]) => [text(name), value]),
    [],
    [text(about.from)],
    [text(about.empty)],
    [],
  ]
}

const meaningRows = ({ kind }: Batch, words: WorkbookWords): Row[] => {
  const { about, terms, outcomes, risks, riskMeanings, classes } = words
  const head = (name: string) => [name, about.code, about.meaning].map((each) => text(each, 'section'))
  const states = Object.entries(outcomes).map(([state, meaning]) => [
    text(term(terms.outcomes, state), 'label', outcomeMark(state)),
    text(state),
    text(meaning, 'prose'),
  ])
  const levels = riskLevels.map((level) => [
    text(risks[level], 'label', riskMark(level)),
    empty,
    text(riskMeanings[level], 'prose'),
  ])
  const classRow = (key: Classification) => [text(terms.classifications[key]), text(key), text(classes[key], 'prose')]
  return [
    head(about.outcomes),
    ...states,
    ...(saysRisk(kind) ? [[], head(about.risks), ...levels] : []),
    ...(kind === 'analysis'
      ? [[], head(about.classes), ...classifications.map(classRow), [text(about.classesNote)]]
      : []),
  ]
}
