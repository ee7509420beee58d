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

/** Whether its total counts everything that came, and all of that could be read. */
export const countsAll = ({ total, items, analyses, unreadable }: ListFigures): boolean =>
  unreadable === 0 && (total === items || total === analyses)

/** Whether it names a limit that it did not reach, whatever the limit counts; an empty list leaves nothing out. */
export const declaresAll = ({ limit, items, analyses }: ListFigures): boolean =>
  items === 0 || (limit !== null && limit > items && limit > analyses)
