/** The queues that the life of a batch passes through; one job per batch waits in each. */
type BatchJob = { batchId: string }

const perBatch = ({ batchId }: BatchJob): string => batchId

export const importQueue = { name: 'import-batch', key: perBatch }
export const exportQueue = { name: 'export-batch', key: perBatch }
