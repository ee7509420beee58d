export const fullSizes = {
  rounds: 3,
  /** Rows of the largest file, of the file its memory is compared with, and of the one its cost per row is compared with. */
  rows: 1_000_000,
  fewerRows: 100_000,
  fewRows: 10_000,
  /** Rows of a file as a workbook and as a CSV. */
  workbookRows: 200_000,
  /** Look-ups at zero latency; look-ups whose writes are counted; look-ups with a job for each. */
  lookups: 30_000,
  counted: 5_000,
  peerLookups: 5_000,
  /** Look-ups with latency, and those of a fleet. */
  slowLookups: 12_000,
  fleetLookups: 20_000,
  waiting: 1_000_000,
  fewWaiting: 1_000,
  passes: 20,
  singles: 3,
  starts: 10,
}

/** The size of each line. */
export type Sizes = typeof fullSizes

/** Some minutes in total; too small to judge by, large enough to check that every line still works. */
export const quickSizes: Sizes = {
  rounds: 3,
  rows: 30_000,
  fewerRows: 10_000,
  fewRows: 5_000,
  workbookRows: 10_000,
  lookups: 3_000,
  counted: 3_000,
  peerLookups: 500,
  slowLookups: 1_000,
  fleetLookups: 600,
  waiting: 20_000,
  fewWaiting: 1_000,
  passes: 5,
  singles: 1,
  starts: 3,
}
