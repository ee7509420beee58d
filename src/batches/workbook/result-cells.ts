import type { RiskLevel } from '../../domain/classifications.ts'
import type { Kind } from '../../domain/kind.ts'
import { answeredStates, type LookupState } from '../../domain/lookup.ts'
import { compareNames, type NameMatch } from '../../domain/name-match.ts'
import { cellXml, textCellXml } from '../../files/xlsx/write/cell-xml.ts'
import type { CellEmphasis } from '../../files/xlsx/write/styles-xml.ts'
import type { WorkbookLabels } from '../../messages/labels.ts'
import type { Message } from '../../messages/message.ts'
import { repairNames, term } from '../../messages/term.ts'
import { fieldsOf } from './result-row.ts'

/** How many rows have this outcome. All rows with the same outcome share it. */
export type RowOutcome = { state: string; risk: RiskLevel | null; rows: number }

type CachedCells = { xml: Buffer; outcome: RowOutcome }

/**
 * Writes the result of a row as cells in the workbook's language. A million rows have a few dozen different results, so
 * each is formatted once and cached. The cache is cleared when it grows too large.
 */
export class ResultCells {
  readonly #labels: WorkbookLabels
  readonly #hasRisk: boolean
  readonly #known = new Map<string, CachedCells>()
  readonly #outcomes = new Map<string, RowOutcome>()
  readonly #matchCells: Record<NameMatch, Buffer>
  /** How many names compare how. */
  readonly names: Record<NameMatch, number> = { same: 0, similar: 0, different: 0 }

  constructor(kind: Kind, labels: WorkbookLabels) {
    this.#labels = labels
    this.#hasRisk = showsRisk(kind)
    const cell = (match: NameMatch, emphasis: CellEmphasis) =>
      Buffer.from(cellXml({ text: labels.terms.nameMatches[match], type: 't', emphasis }))
    this.#matchCells = {
      same: cell('same', 'none'),
      similar: cell('similar', 'none'),
      different: cell('different', 'attention'),
    }
  }

  /** The cells of one more row. */
  count(result: string): Buffer {
    const { xml, outcome } = this.#known.get(result) ?? this.#learn(result)
    outcome.rows++
    return xml
  }

  /** The cell that compares the name of one more row with the registry's. */
  compare(given: string, registryName: string): Buffer {
    const match = compareNames(given, registryName)?.match
    if (!match) return noCell
    this.names[match]++
    return this.#matchCells[match]
  }

  get outcomes(): readonly RowOutcome[] {
    return [...this.#outcomes.values()]
  }

  #learn(result: string): CachedCells {
    const [state = '', risk = null, charged, repair, message, text, rejectReason] = fieldsOf(result) as [
      string,
      RiskLevel | null,
      ...(string | null)[],
    ]
    const { terms, risks } = this.#labels
    const reason = rejectReason ? term(terms.rejectReasons, rejectReason) : ''
    const detail = localizedDetail(this.#labels, message, text)
    const xml = [
      cellXml({ text: term(terms.outcomes, state), type: 't', emphasis: outcomeEmphasis(state) }),
      ...(this.#hasRisk ? [cellXml({ text: risk ? risks[risk] : '', type: 't', emphasis: riskEmphasis(risk) })] : []),
      textCellXml([reason, detail].filter(Boolean).join(': ')),
      textCellXml(term(terms.charged, charged ?? '')),
      textCellXml(repair ? repairNames(terms.repairs, repair) : ''),
    ]
    const entry = { xml: Buffer.from(xml.join('')), outcome: this.#outcomeOf(state, risk) }
    if (this.#known.size >= mostKnown) this.#known.clear()
    this.#known.set(result, entry)
    return entry
  }

  #outcomeOf(state: string, risk: RiskLevel | null): RowOutcome {
    const key = `${state} ${risk}`
    const outcome = this.#outcomes.get(key) ?? { state, risk, rows: 0 }
    this.#outcomes.set(key, outcome)
    return outcome
  }
}

const noCell = Buffer.from('<c/>')
const mostKnown = 2_000

/** Whether answers of a kind contain lawsuits, and so a level of risk. */
export const showsRisk = (kind: Kind): boolean => kind === 'analysis' || kind === 'processes'

/** The detail of a row: formatted from its message if there is one, else the stored text. */
export const localizedDetail = (
  { formatMessage }: WorkbookLabels,
  message: string | null | undefined,
  text: string | null | undefined,
): string => (message ? formatMessage(JSON.parse(message) as Message) : (text ?? ''))

export const outcomeEmphasis = (state: string): CellEmphasis => {
  if (state === 'pending' || state === 'rejected') return 'attention'
  return answeredStates.includes(state as LookupState) ? 'none' : 'danger'
}

const riskEmphases: Record<RiskLevel, CellEmphasis> = { risk: 'danger', lawsuits: 'attention', clear: 'good' }

export const riskEmphasis = (risk: RiskLevel | null): CellEmphasis => (risk ? riskEmphases[risk] : 'none')
