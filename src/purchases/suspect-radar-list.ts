import { suspicionOf } from '../domain/radar-difference.ts'
import type { Sql } from '../store/connect.ts'
import { compareSize } from '../store/radars.ts'

type RadarList = { complete: boolean; radars: readonly { document: string }[] }

/** Why a list of radars is not to be believed, beside what the last sweep found; null where it is. */
export const suspectRadarList = async (
  sql: Sql,
  { organizationId }: { organizationId: number },
  { complete, radars }: RadarList,
): Promise<string | null> => {
  const documents = [...new Set(radars.map(({ document }) => document))]
  const size = await compareSize(sql, organizationId, documents)
  return suspicionOf({ complete, listed: documents.length, ...size })
}
