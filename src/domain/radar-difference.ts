/** What a list of radars is compared with: how many the mirror holds, and how many of those the list no longer shows. */
export type ListSize = { complete: boolean; listed: number; mirrored: number; missing: number }

/**
 * Why a list of radars is not to be believed, or null where it is.
 *
 * A list that lost more than a fifth overnight is far more often cut short than true, and believing it would end the
 * monitoring of everyone who is missing. A person decides.
 */
export const suspicionOf = ({ complete, listed, mirrored, missing }: ListSize): string | null => {
  if (!complete) return 'the list was cut short or could not be read in full'
  if (listed === 0 && mirrored > 0) return `the list is empty, and ${mirrored} radars were known`
  if (missing * 5 > mirrored) return `${missing} of ${mirrored} known radars are missing from the list`
  return null
}
