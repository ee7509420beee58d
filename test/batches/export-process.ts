import { loadSettings } from '../../config/settings.ts'
import { exportBatch } from '../../src/batches/export.ts'
import { keepHeapLean } from '../../src/cli/lean-heap.ts'
import { connect } from '../../src/store/connect.ts'
import { measureProcess } from './measure-process.ts'

/** Exports one batch in a process of its own, prints the measurements, and may be killed at any moment. */
keepHeapLean()
const sql = connect(process.env.DATABASE_URL!, { hasSession: true })
const measured = measureProcess()
const options = { folder: process.env.FOLDER!, now: new Date(0), settings: loadSettings(process.env) }
await exportBatch(sql, BigInt(process.env.BATCH!), options)
process.stdout.write(`${JSON.stringify(measured())}\n`)
process.exit(0)
