import type { WrittenFormat } from '../read/number-formats.ts'
import { ownStyleNumber } from './styles-xml.ts'

/** The number formats of the caller's cells. Each gets a style of its own when it is first used. */
export class OwnFormats {
  readonly #styles = new Map<WrittenFormat, number>()

  /** The number of the style; undefined without a format, and for those beyond what a workbook may hold. */
  styleOf(format: WrittenFormat | null | undefined): number | undefined {
    if (format == null) return undefined
    const known = this.#styles.get(format)
    if (known !== undefined || this.#styles.size >= most) return known
    const style = ownStyleNumber(this.#styles.size)
    this.#styles.set(format, style)
    return style
  }

  /** In the order of their styles. */
  get all(): WrittenFormat[] {
    return [...this.#styles.keys()]
  }
}

/** Excel takes between 200 and 250 formats in a workbook. */
const most = 190
