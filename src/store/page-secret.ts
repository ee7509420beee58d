import type { Sql } from './connect.ts'

/** The key with which every page of the fleet seals documents. */
export const readPageSecret = async (sql: Sql): Promise<Buffer> => {
  const [row] = await sql<{ secret: Buffer }[]>`select secret from vigia.page_secret`
  return row!.secret
}
