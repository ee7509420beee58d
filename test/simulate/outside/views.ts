/** Nobody of a history looks at a page. */
const notShown = (): never => {
  throw new Error('What is shown is not part of a history')
}

export const [toStatusView, readCandidates, toParkedView, readOwnRows] = [notShown, notShown, notShown, notShown]
