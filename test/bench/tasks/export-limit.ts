import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { classifications } from '../../../src/domain/classifications.ts'
import { connect } from '../../../src/store/connect.ts'
import { readCopy } from '../../../src/store/copy.ts'
import { runTask, secondsSince } from '../task.ts'

/** COPY … TO STDOUT of the columns that a report adds, in the order of the file, straight into a file. */
await runTask(async ({ url, batch, folder }: { url: string; batch: string; folder: string }) => {
  const sql = connect(url, { max: 1, hasSession: true })
  const figures = classifications.map((_, i) => `a.counts[${i + 1}], a.cents[${i + 1}] * 0.01`)
  const began = performance.now()
  const rows = readCopy(
    sql,
    `copy (
       select l.state, l.message, l.charged, l.question, r.repair, l.as_of, l.remote_id, ${figures.join(', ')}
         from vigia.batch_row r
         join vigia.lookup l on l.id = r.lookup_id
         join vigia.answer a on a.lookup_id = l.id
        where r.batch_id = ${BigInt(batch)}
        order by r.line
     ) to stdout (format csv, delimiter ';')`,
  )
  await pipeline(rows, createWriteStream(join(folder, 'limit.csv'), { highWaterMark: 256 * 1024, flush: true }))
  const seconds = secondsSince(began)
  await sql.end()
  return { seconds }
})
