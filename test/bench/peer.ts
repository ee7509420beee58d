import { classifications } from '../../src/domain/classifications.ts'
import type { Database } from '../../src/store/connect.ts'
import { type Analysis, bareRegistry } from './bare-registry.ts'

export type Peer = { url: string; registryUrl: string; open: number }

/** What people would write around a queue: buy, consult, store, one row at a time. If killed, it buys some of them again. */
export const lookUpRows = async (sql: Database, registryUrl: string, open: number) => {
  await sql`create table result (lookup_id bigint primary key, remote_id text, counts integer[], amounts text[])`
  const [{ count }] = (await sql`select count(*)::int as count from vigia.lookup`) as unknown as [{ count: number }]
  const { generate, consult, close } = bareRegistry(registryUrl, open)
  const all = Promise.withResolvers<void>()
  let left = count
  const consultAndStore = async (id: string, analysis: Analysis): Promise<void> => {
    const summary = await consult(analysis)
    const counts = classifications.map((key) => summary[key]!.totalProcess)
    const amounts = classifications.map((key) => summary[key]!.vltotalProcess)
    await sql`insert into result (lookup_id, remote_id, counts, amounts) values (${id}, ${analysis.id}, ${counts}, ${amounts})`
    if (--left === 0) all.resolve()
  }
  return {
    done: all.promise,
    buy: generate,
    consult: consultAndStore,
    lookUp: async ({ id, question }: { id: string; question: string }) => consultAndStore(id, await generate(question)),
    async end(): Promise<number> {
      const [done] = await sql<{ count: number }[]>`select count(*)::int as count from result`
      await Promise.all([close(), sql.end()])
      return done!.count
    },
  }
}
