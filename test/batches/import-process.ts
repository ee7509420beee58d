import { loadSettings } from '../../config/settings.ts'
import { importBatch } from '../../jobs/import-batch.ts'
import { keepHeapLean } from '../../src/cli/lean-heap.ts'
import { openHome } from '../../src/home/folders.ts'
import { createLog } from '../../src/log/log.ts'
import { startBoss } from '../../src/queue/boss.ts'
import { connect } from '../../src/store/connect.ts'
import { measureProcess } from './measure-process.ts'
import { offline } from './offline.ts'

/** Imports one batch in a process of its own, prints the measurements, and may be killed at any moment. */
keepHeapLean()
const settings = loadSettings(process.env)
const log = createLog({ level: 'warn' })
const sql = connect(settings.databaseUrl!, { hasSession: true })
const boss = await startBoss(settings.databaseUrl!, log)
const home = await openHome(settings.home)
const tools = offline({ sql, boss, settings, home, log, clock: () => new Date() })
const measured = measureProcess()
await importBatch.work({ batchId: process.env.BATCH! }, tools)
process.stdout.write(`${JSON.stringify(measured())}\n`)
process.exit(0)
