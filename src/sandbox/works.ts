import { activities } from './operations/activities.ts'
import { consult, generate } from './operations/analyses.ts'
import { cnhCreate, cnhLatest, cnhRead } from './operations/cnh.ts'
import { inactivate, processCount, radarAdd, radarList } from './operations/monitoring.ts'
import { refresh } from './operations/refresh.ts'
import { scr } from './operations/scr.ts'
import type { OperationName } from './operations.ts'
import type { Work } from './registry.ts'

/** What each operation does. */
export const works: Record<OperationName, Work> = {
  cnhCreate,
  cnhRead,
  cnhLatest,
  generate,
  consult,
  activities,
  processCount,
  radarAdd,
  radarList,
  inactivate,
  scr,
  refresh,
}
