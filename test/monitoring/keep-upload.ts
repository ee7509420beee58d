import { storeFile } from '../../src/batches/stored-file.ts'
import { insertUpload } from '../../src/store/batches/uploads.ts'
import type { Setup } from '../support/setup.ts'

/** An upload whose columns nobody has assigned yet. */
export const keepUpload = async (t: Setup, bytes: string | Buffer): Promise<bigint> => {
  async function* complete() {
    yield Buffer.from(bytes)
  }
  const { id: fileId } = await storeFile(t.sql, complete())
  const whose = { organizationId: t.sandbox.account.organizationId, uploadedBy: 'ana', replaces: null }
  const read = { kind: 'analysis', fileName: 'carteira', maxSpend: null, encoding: 'utf8' } as const
  return insertUpload(t.sql, { ...whose, ...read, fileId })
}
