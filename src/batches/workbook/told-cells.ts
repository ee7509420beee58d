import type { RiskLevel } from '../../domain/classifications.ts'
import type { Kind } from '../../domain/kind.ts'
import { answeredStates, type LookupState } from '../../domain/lookup.ts'
import type { Said } from '../../domain/said/said.ts'
import { repairNames, term } from '../../domain/terms/term.ts'
import { cellXml, textCellXml } from '../../files/xlsx/write/cell-xml.ts'
import type { CellMark } from '../../files/xlsx/write/styles-xml.ts'
import { fieldsOf } from './told-row.ts'
import type { WorkbookWords } from './words.ts'

/** How many rows came out like this; shared by all that say the same of theirs. */
export type Outcome = { state: string; risk: RiskLevel | null; rows: number }

type Told = { xml: Buffer; outcome: Outcome }

/**
 * Puts what is to be said of rows into the cells of a language. A million rows say a few dozen different things, so
 * each is worded once and kept; where details differ all the time, what was kept is let go now and then.
 */
export class ToldCells {
  readonly #words: WorkbookWords
  readonly #hasRisk: boolean
  readonly #known = new Map<string, Told>()
  readonly #outcomes = new Map<string, Outcome>()

  constructor(kind: Kind, words: WorkbookWords) {
    this.#words = words
    this.#hasRisk = saysRisk(kind)
  }

  /** The cells of one more row. */
  count(told: string): Buffer {
    const { xml, outcome } = this.#known.get(told) ?? this.#learn(told)
    outcome.rows++
    return xml
  }

  get outcomes(): readonly Outcome[] {
    return [...this.#outcomes.values()]
  }

  #learn(told: string): Told {
    const [state = '', risk = null, charged, repair, said, text] = fieldsOf(told) as [
      string,
      RiskLevel | null,
      ...(string | null)[],
    ]
    const { terms, risks } = this.#words
    const xml = [
      cellXml({ text: term(terms.outcomes, state), type: 't', mark: outcomeMark(state) }),
      ...(this.#hasRisk ? [cellXml({ text: risk ? risks[risk] : '', type: 't', mark: riskMark(risk) })] : []),
      textCellXml(wordedDetail(this.#words, said, text)),
      textCellXml(term(terms.charged, charged ?? '')),
      textCellXml(repair ? repairNames(terms.repairs, repair) : ''),
    ]
    const entry = { xml: Buffer.from(xml.join('')), outcome: this.#outcomeOf(state, risk) }
    if (this.#known.size >= mostKnown) this.#known.clear()
    this.#known.set(told, entry)
    return entry
  }

  #outcomeOf(state: string, risk: RiskLevel | null): Outcome {
    const key = `${state} ${risk}`
    const outcome = this.#outcomes.get(key) ?? { state, risk, rows: 0 }
    this.#outcomes.set(key, outcome)
    return outcome
  }
}

const mostKnown = 2_000

/** Whether answers of a kind can say that there is a risk, or lawsuits at all. */
export const saysRisk = (kind: Kind): boolean => kind === 'analysis' || kind === 'processes'

/** What was said, as code where there is one, else the text as it was kept. */
export const wordedDetail = (
  { tell }: WorkbookWords,
  said: string | null | undefined,
  text: string | null | undefined,
): string => (said ? tell(JSON.parse(said) as Said) : (text ?? ''))

export const outcomeMark = (state: string): CellMark => {
  if (state === 'pending' || state === 'rejected') return 'attention'
  return answeredStates.includes(state as LookupState) ? 'none' : 'danger'
}

const riskMarks: Record<RiskLevel, CellMark> = { risk: 'danger', lawsuits: 'attention', clear: 'good' }

export const riskMark = (risk: RiskLevel | null): CellMark => (risk ? riskMarks[risk] : 'none')
