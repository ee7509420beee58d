/** The figures of a list. The interface gives no rules for them, so each is trusted only as far as necessary. */
export type ListFigures = {
  total: number | null
  limit: number | null
  /** Items received, what they hold, and how many could not be read in full. */
  items: number
  analyses: number
  unreadable: number
  /** It came as `null`, as a 404 or as a refusal: an empty list may look like that, and so may one that could not be read. */
  isBare: boolean
}

/** How long earlier lists of the same organization were, and what limit they named. */
export type EarlierList = Pick<ListFigures, 'items' | 'limit'> & { analyses: number | null }

/** Whether its total counts everything that came, and all of that could be read. */
export const countsAll = ({ total, items, analyses, unreadable }: ListFigures): boolean =>
  unreadable === 0 && (total === items || total === analyses)

/**
 * Whether a list shows everything, by its own figures.
 *
 * A list that is as long as its own limit may be cut. It is complete if earlier lists of other lengths show that the limit
 * only ever repeats the length; if they show another limit, or there are none, it may be cut. A list of one item that names
 * no higher limit may be a page of one item, whose total counts the page.
 */
export const isComplete = (figures: ListFigures, earlier: EarlierList[]): boolean => {
  const { limit, items } = figures
  if (!countsAll(figures)) return false
  if (limit !== null && items < limit) return true
  if (items === 1) return false
  return limit === null || limit <= 0 || onlyRepeats('items', figures, earlier)
}

/**
 * Whether it may be a page whose total counts the page: it names no higher limit, and has the length of a page. It is not
 * documented whether a page counts items or the purchases in them; more purchases than the limit show that it counts items.
 */
export const isPageSized = (figures: ListFigures, earlier: EarlierList[]): boolean => {
  const { limit, items, analyses } = figures
  const isOfItems = limit === null || limit <= items
  if (isOfItems || onlyRepeats('analyses', figures, earlier)) return pageSizes.has(items) || pageSizes.has(analyses)
  return limit === analyses
}

/** Whether the limit has always been the number of what came, whatever that number was. */
const onlyRepeats = (what: 'items' | 'analyses', figures: ListFigures, earlier: EarlierList[]): boolean =>
  earlier.some((list) => list[what] !== figures[what]) &&
  [figures, ...earlier].every((list) => list.limit === list[what])

const pageSizes = new Set([10, 12, 15, 20, 25, 30, 40, 50, 100, 200, 250, 500, 1_000, 2_000, 2_500, 5_000, 10_000])
