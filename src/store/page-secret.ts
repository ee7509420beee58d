import type { Sql } from './connect.ts'
import { firstValue } from './rows.ts'

/** The key with which every page of the fleet seals documents. */
export const readPageSecret = (sql: Sql): Promise<Buffer> => firstValue(sql`select secret from vigia.page_secret`)
