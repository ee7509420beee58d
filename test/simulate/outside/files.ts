import { setTimeout as pause } from '../time/timers-promises.ts'

const notThere = (): never => {
  throw new Error('No history has files')
}

/** No history has files; searching them for a person takes its time all the same. */
export const eraseFromFiles = async () => {
  await pause(1 + Math.random() * 3_000)
  return { files: { blanked: 0, deleted: 0 }, reportsOf: [] }
}
export const storedFilesAbout = async () => ({ rewrites: [], workbooks: [], uploads: [] })
export const removeAbandonedDownloads = async (): Promise<number> => 0
export const [outboxFolder, readStoredFile, rewriteFile, blankRecords] = [notThere, notThere, notThere, notThere]

export const writeChangesFile = async (): Promise<string> => 'changes.csv'
