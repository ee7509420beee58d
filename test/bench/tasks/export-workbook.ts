import { exportWorkbook } from '../../../src/batches/export.ts'
import { keepHeapLean } from '../../../src/cli/lean-heap.ts'
import { connect } from '../../../src/store/connect.ts'
import { runTask, secondsSince } from '../task.ts'

keepHeapLean()
await runTask(async ({ url, batch, folder }: { url: string; batch: string; folder: string }) => {
  const sql = connect(url, { hasSession: true })
  const began = performance.now()
  await exportWorkbook(sql, BigInt(batch), { folder, timezone: 'America/Sao_Paulo', now: new Date() })
  const seconds = secondsSince(began)
  await sql.end()
  return { seconds }
})
