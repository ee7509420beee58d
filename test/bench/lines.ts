import type { Line } from './line.ts'
import { clientCalls } from './lines/client-calls.ts'
import { dueGrowth } from './lines/due-growth.ts'
import { duePass } from './lines/due-pass.ts'
import { exportMemory } from './lines/export-memory.ts'
import { exportRows } from './lines/export-rows.ts'
import { fleetCosts } from './lines/fleet-cost.ts'
import { helpStart } from './lines/help-start.ts'
import { idleWorkers } from './lines/idle-worker.ts'
import { importGrowth } from './lines/import-growth.ts'
import { importMemory } from './lines/import-memory.ts'
import { importMemoryGrowth } from './lines/import-memory-growth.ts'
import { importRows } from './lines/import-rows.ts'
import { lookups } from './lines/lookups.ts'
import { lookupsLatency } from './lines/lookups-latency.ts'
import { peerBoss, peerDbos, peerGraphile } from './lines/peers.ts'
import { rowVersions } from './lines/row-versions.ts'
import { singleRow } from './lines/single-row.ts'
import { smallAmongLarge } from './lines/small-among-large.ts'
import { transactions } from './lines/transactions.ts'
import { twoWorkers } from './lines/two-workers.ts'
import { walBytes } from './lines/wal-bytes.ts'
import { workbookImport } from './lines/workbook-import.ts'
import { workbookImportMemory } from './lines/workbook-import-memory.ts'
import { workbookMemory } from './lines/workbook-memory.ts'
import { workbookRows } from './lines/workbook-rows.ts'

export const lines: Line[] = [
  importRows,
  importGrowth,
  importMemory,
  importMemoryGrowth,
  rowVersions,
  walBytes,
  transactions,
  ...idleWorkers,
  workbookImport,
  workbookImportMemory,
  lookups,
  peerGraphile,
  peerBoss,
  peerDbos,
  lookupsLatency,
  twoWorkers,
  ...fleetCosts,
  smallAmongLarge,
  clientCalls,
  duePass,
  dueGrowth,
  exportRows,
  exportMemory,
  workbookRows,
  workbookMemory,
  singleRow,
  helpStart,
]
