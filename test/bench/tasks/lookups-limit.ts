import { once } from 'node:events'
import { classifications } from '../../../src/domain/classifications.ts'
import { connect, type Database } from '../../../src/store/connect.ts'
import { bareRegistry, keepOpen } from '../bare-registry.ts'
import { runTask, secondsSince } from '../task.ts'

type Args = { url: string; registryUrl: string; open: number }
type Asked = { id: bigint; question: string }

const chunkSize = 500

/**
 * The loop that one would write by hand: it reads ids in chunks, with the next chunk on its way, buys and consults each
 * document, and copies results in chunks meanwhile.
 *
 * It records no intent and no state: if killed, it would buy everything again.
 */
await runTask(async ({ url, registryUrl, open }: Args) => {
  const sql = connect(url, { max: 4, hasSession: true })
  await sql`create table result (lookup_id bigint primary key, remote_id text, counts integer[], amounts text[])`
  const { generate, consult, close } = bareRegistry(registryUrl, open)
  const began = performance.now()
  const questions = readAhead(sql)
  const results = collectResults(sql)
  const ask = async (asked: Promise<Asked | undefined>) => {
    const lookup = await asked
    if (!lookup) return
    const analysis = await generate(lookup.question)
    const summary = await consult(analysis)
    const counts = classifications.map((key) => summary[key]?.totalProcess)
    const amounts = classifications.map((key) => `"${summary[key]?.vltotalProcess}"`)
    results.add(`${lookup.id}\t${analysis.id}\t{${counts}}\t{${amounts}}\n`)
  }
  await keepOpen(open, () => (questions.isOver() ? null : ask(questions.next())))
  await results.end()
  const seconds = secondsSince(began)
  const [done] = await sql<{ count: number }[]>`select count(*)::int as count from result`
  await Promise.all([close(), sql.end()])
  return { seconds, count: done?.count }
})

function readAhead(sql: Database) {
  let chunk: Asked[] = []
  let at = 0
  let coming = readChunk(sql, 0n)
  let isOver = false
  let turn: Promise<unknown> = Promise.resolve()

  const refill = async () => {
    if (at < chunk.length || isOver) return
    chunk = await coming
    at = 0
    isOver = chunk.length === 0
    if (!isOver) coming = readChunk(sql, chunk.at(-1)!.id)
  }
  return {
    isOver: () => isOver,
    async next(): Promise<Asked | undefined> {
      while (at >= chunk.length && !isOver) {
        turn = turn.then(refill)
        await turn
      }
      return chunk[at++]
    },
  }
}

/** Requested at once: the answer arrives before the current chunk is used up. */
function readChunk(sql: Database, after: bigint): Promise<Asked[]> {
  const query = sql<Asked[]>`select id, question from vigia.lookup where id > ${after} order by id limit ${chunkSize}`
  return query.then((rows) => rows)
}

function collectResults(sql: Database) {
  let collected: string[] = []
  const writing: Promise<void>[] = []
  const flush = () => {
    writing.push(copy(sql, collected.join('')))
    collected = []
  }
  return {
    add(line: string) {
      collected.push(line)
      if (collected.length === chunkSize) flush()
    },
    async end() {
      flush()
      await Promise.all(writing)
    },
  }
}

async function copy(sql: Database, text: string): Promise<void> {
  const stream = await sql`copy result (lookup_id, remote_id, counts, amounts) from stdin`.writable()
  const finished = once(stream, 'finish')
  stream.end(text)
  await finished
}
