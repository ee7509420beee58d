import { exportBatch, exportWorkbook } from '../../../src/batches/export.ts'
import { keepHeapLean } from '../../../src/cli/lean-heap.ts'
import { connect } from '../../../src/store/connect.ts'
import { runTask, secondsSince } from '../task.ts'

type Args = { url: string; batch: string; folder: string; format: 'csv' | 'xlsx' }

keepHeapLean()
await runTask(async ({ url, batch, folder, format }: Args) => {
  const sql = connect(url, { hasSession: true })
  const write = format === 'csv' ? exportBatch : exportWorkbook
  const began = performance.now()
  const settings = { timezone: 'America/Sao_Paulo', language: 'pt-BR' as const, budget: { unitPrice: null } }
  await write(sql, BigInt(batch), { folder, now: new Date(), settings })
  const seconds = secondsSince(began)
  await sql.end()
  return { seconds }
})
