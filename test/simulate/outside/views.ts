/** Nobody of a history looks at a page. */
const notShown = (): never => {
  throw new Error('What is shown is not part of a history')
}

/** Notifications name no changes, and no reasons. */
export const [listChanges, countUnverified] = [async () => [], async () => []]
export const readOwnNames = async () => () => null

export const [toStatusView, toParkedView, readOwnRows] = [notShown, notShown, notShown]
export const [listAllParked, readCandidates] = [notShown, notShown]
