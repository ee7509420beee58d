import type { AnyLookupJob } from '../src/engine/engine.ts'
import type { AnyJob } from '../src/queue/start-jobs.ts'
import { addRadars } from './add-radars.ts'
import { consultAnalyses } from './consult-analyses.ts'
import { countProcesses } from './count-processes.ts'
import { exportBatch } from './export-batch.ts'
import { findUnfinished } from './find-unfinished.ts'
import { generateAnalyses } from './generate-analyses.ts'
import { importBatch } from './import-batch.ts'
import { inactivateProcesses } from './inactivate-processes.ts'
import { pollCnh } from './poll-cnh.ts'
import { purgeExpired } from './purge-expired.ts'
import { queryScr } from './query-scr.ts'
import { reconcileSendings } from './reconcile-sendings.ts'
import { requestCnh } from './request-cnh.ts'
import { runPortfolio } from './run-portfolio.ts'
import { sendAlert } from './send-alert.ts'
import { sweepRadars } from './sweep-radars.ts'
import { syncUsage } from './sync-usage.ts'
import type { Tools } from './tools.ts'

/** The jobs of a look-up, in the order in which a document meets them. */
export const lookupJobs: readonly AnyLookupJob<Tools>[] = [
  generateAnalyses,
  consultAnalyses,
  requestCnh,
  pollCnh,
  queryScr,
  countProcesses,
  addRadars,
  inactivateProcesses,
  reconcileSendings,
]

/** The jobs of a batch and of the recurring tasks. */
export const batchJobs: readonly AnyJob<Tools>[] = [
  importBatch,
  exportBatch,
  sweepRadars,
  runPortfolio,
  findUnfinished,
  syncUsage,
  purgeExpired,
  sendAlert,
]
