import { mayBeDocument } from '../files/columns/find-columns.ts'
import { type ColumnNames, headersKey, type RememberedColumns } from '../files/columns/read-options.ts'
import { dropColumnChoice, readColumnChoices, saveColumnChoice } from '../store/batches/column-choices.ts'
import type { Database, Sql } from '../store/connect.ts'
import { recordAudit } from '../store/people/audit.ts'
import { BatchRefusal } from './batch-or-refuse.ts'

/** The columns that people of an organization chose, by headers. */
export const rememberedColumns = async (sql: Sql, organizationId: number): Promise<RememberedColumns[]> =>
  (await readColumnChoices(sql, organizationId)) as RememberedColumns[]

type Choice = { organizationId: number; headers: readonly string[]; columns: ColumnNames; by: string }

/** Remembers a choice for the next file with these headers, unless a row with documents was used as the header. */
export const rememberChoice = async (tx: Sql, { organizationId, headers, columns, by }: Choice): Promise<void> => {
  if (headers.some(mayBeDocument)) return
  const names = headers.map((header) => header.trim())
  const kept = { organizationId, headers: names, key: headersKey(headers), columns }
  const id = await saveColumnChoice(tx, { ...kept, by, now: new Date() })
  if (id) await recordAudit(tx, by, 'choose columns', `columns ${id}`, { columns: kept.columns })
}

export const forgetChoice = (sql: Database, id: bigint, by: string): Promise<void> =>
  sql.begin(async (tx) => {
    if (!(await dropColumnChoice(tx, id))) throw new BatchRefusal(['no_choice', id])
    await recordAudit(tx, by, 'forget columns', `columns ${id}`)
  })
