import { on, once } from 'node:events'
import { createReadStream } from 'node:fs'
import type { Writable } from 'node:stream'
import { parse } from 'csv-parse'
import { connect } from '../../../src/store/connect.ts'
import { runTask, secondsSince } from '../task.ts'

const now = new Date().toISOString()
const tomorrow = new Date(Date.now() + 86_400_000).toISOString()

/**
 * csv-parse → COPY into the tables of Vigia, with their indexes and constraints.
 *
 * Ids are counted here, so that both tables are copied at once, over two connections, while the file is being parsed.
 * Nothing is validated, nothing is shared, and an interrupted run could not be continued.
 */
await runTask(async ({ url, file }: { url: string; file: string }) => {
  const sql = connect(url, { max: 2, hasSession: true })
  const began = performance.now()
  const lookups = await sql`
    copy vigia.lookup (id, organization_id, kind, question, document_type, batch_id, due_at, deadline_at, asked_at)
    from stdin`.writable()
  const rows = await sql`copy vigia.batch_row (batch_id, line, start_at, size, lookup_id, pays) from stdin`.writable()
  let texts = { lookups: '', rows: '' }
  let line = 1
  for await (const records of inGroups(file)) {
    for (const [, document] of records) {
      line++
      texts.lookups += `${line}\t7001\tanalysis\t${document}\tCPF\t1\t${now}\t${tomorrow}\t${now}\n`
      texts.rows += `1\t${line}\t${line * 40}\t40\t${line}\tt\n`
    }
    await Promise.all([write(lookups, texts.lookups), write(rows, texts.rows)])
    texts = { lookups: '', rows: '' }
  }
  await Promise.all([end(lookups), end(rows)])
  const seconds = secondsSince(began)
  await sql.end()
  return { seconds, rows: line - 1 }
})

async function* inGroups(file: string): AsyncGenerator<string[][]> {
  const parser = parse({ delimiter: ';', from_line: 2, max_record_size: 16 * 1024 * 1024 })
  createReadStream(file, { highWaterMark: 256 * 1024 }).pipe(parser)
  for await (const _ of on(parser, 'readable', { close: ['end'] })) {
    const records: string[][] = []
    for (let record = parser.read(); record !== null; record = parser.read()) records.push(record)
    if (records.length > 0) yield records
  }
}

async function write(stream: Writable, text: string): Promise<void> {
  if (!stream.write(text)) await once(stream, 'drain')
}

async function end(stream: Writable): Promise<void> {
  const finished = once(stream, 'finish')
  stream.end()
  await finished
}
