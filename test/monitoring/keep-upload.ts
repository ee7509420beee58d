import { storeFile } from '../../src/batches/stored-file.ts'
import { accounts } from '../../src/sandbox/tokens.ts'
import { insertUpload } from '../../src/store/batches/uploads.ts'
import type { Database } from '../../src/store/connect.ts'

/** An upload whose columns nobody has assigned yet. */
export const keepUpload = async (sql: Database, bytes: string | Buffer): Promise<bigint> => {
  async function* complete() {
    yield Buffer.from(bytes)
  }
  const { id: fileId } = await storeFile(sql, complete())
  const whose = { organizationId: accounts[0].organizationId, uploadedBy: 'ana', replaces: null }
  const read = { kind: 'analysis', fileName: 'carteira', maxSpend: null, encoding: 'utf8' } as const
  return insertUpload(sql, { ...whose, ...read, fileId })
}
