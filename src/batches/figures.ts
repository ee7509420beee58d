import { classifications, isRiskClass, notSearched, type RiskLevel } from '../domain/classifications.ts'
import type { ResultRow } from './result-row.ts'
import type { ByteWindow } from './sliced-text.ts'

/** The counts and amounts of a row: they stay bytes, because a row has forty of them. */
export class Figures {
  readonly #row: ResultRow
  readonly #places: Record<'counts' | 'cents' | 'amounts' | 'protestStatus' | 'debtorStatus', number>
  /** The figure at `i` begins after the end of the one before. */
  readonly #counts = new Int32Array(classifications.length + 1)
  readonly #cents = new Int32Array(classifications.length + 1)
  #amounts: (string | null)[] = []
  /** The places of the classes whose own search was not finished. */
  #unsearched: readonly number[] = []

  constructor(row: ResultRow) {
    this.#row = row
    this.#places = {
      counts: row.at('counts'),
      cents: row.at('cents'),
      amounts: row.at('amounts'),
      protestStatus: row.at('protestStatus'),
      debtorStatus: row.at('debtorStatus'),
    }
  }

  /** Reads those of the current row. */
  read(): void {
    const { counts, cents, amounts, protestStatus, debtorStatus } = this.#places
    this.#find(counts, this.#counts)
    this.#find(cents, this.#cents)
    this.#amounts = this.#row.isEmpty(amounts) ? [] : JSON.parse(this.#row.text(amounts))
    this.#unsearched =
      this.#row.isEmpty(protestStatus) && this.#row.isEmpty(debtorStatus) ? none : this.#findUnsearched()
  }

  /** Whether a class was not searched, and so has no figure. */
  isUnsearched(i: number): boolean {
    return this.#unsearched.length > 0 && this.#unsearched.includes(i)
  }

  /** Null if the figures do not show it, for example if the count of a risk class is missing. */
  riskLevel(): RiskLevel | null {
    let isComplete = true
    for (const i of riskPlaces) {
      const sign = this.isUnsearched(i) ? null : this.sign(i)
      if (sign === 1) return 'risk'
      if (sign === null) isComplete = false
    }
    const all = this.sign(0)
    if (!isComplete || all === null || all < 0) return null
    return all > 0 ? 'lawsuits' : 'clear'
  }

  /** Of a count of this row: 1 above zero, 0 at zero, -1 below; null where there is none. */
  sign(i: number): -1 | 0 | 1 | null {
    const from = (this.#counts[i] as number) + 1
    if (from === this.#counts[i + 1]) return null
    const first = this.#row.bytes[from]
    if (first === minus) return -1
    return first === zero ? 0 : 1
  }

  appendCount(i: number, to: ByteWindow): void {
    to.appendPart(this.#row.bytes, (this.#counts[i] as number) + 1, this.#counts[i + 1] as number)
  }

  hasAmount(i: number): boolean {
    return (this.#cents[i] as number) + 1 < (this.#cents[i + 1] as number)
  }

  appendAmount(i: number, to: ByteWindow, decimal: number): void {
    const { bytes } = this.#row
    const end = this.#cents[i + 1] as number
    let from = (this.#cents[i] as number) + 1
    if (bytes[from] === minus) to.appendByte(bytes[from++] as number)
    const centsFrom = end - 2
    if (centsFrom > from) to.appendPart(bytes, from, centsFrom)
    else to.appendByte(zero)
    to.appendByte(decimal)
    for (let missing = centsFrom; missing < from; missing++) to.appendByte(zero)
    to.appendPart(bytes, Math.max(from, centsFrom), end)
  }

  /** An amount that could not be read: the text that was sent. */
  amountText(i: number): string {
    return this.#amounts[i] ?? ''
  }

  /** A count above zero is a figure, whatever the status of the search. */
  #findUnsearched(): readonly number[] {
    const status = (place: number) => (this.#row.isEmpty(place) ? null : this.#row.text(place))
    const { protestStatus, debtorStatus } = this.#places
    const statuses = { protestStatus: status(protestStatus), debtorStatus: status(debtorStatus) }
    return notSearched(statuses)
      .map((key) => classifications.indexOf(key))
      .filter((place) => this.sign(place) !== 1)
  }

  #find(place: number, ends: Int32Array): void {
    const { bytes } = this.#row
    const from = this.#row.from(place)
    const end = this.#row.isEmpty(place) ? from : this.#row.end(place)
    let figure = 0
    ends[figure++] = from - 1
    for (let at = from; at < end && figure < ends.length; at++) if (bytes[at] === comma) ends[figure++] = at
    if (figure < ends.length) ends[figure++] = end
    // Where figures are missing at the end, each is empty.
    for (; figure < ends.length; figure++) ends[figure] = (ends[figure - 1] as number) + 1
  }
}

const riskPlaces = classifications.flatMap((key, place) => (isRiskClass(key) ? [place] : []))
const none: readonly number[] = []
const comma = 0x2c
const minus = 0x2d
const zero = 0x30
