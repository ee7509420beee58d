import { createBound } from '../../src/registry/bound.ts'
import { createRegistry } from '../../src/registry/create-registry.ts'
import { connect } from '../../src/store/connect.ts'
import { openVault } from '../../src/store/fleet/credentials.ts'
import { cpf } from '../support/documents.ts'

/** One of several processes that share a token: makes `calls` calls, eight at a time, and reports how many failed. */
const { databaseUrl, url, credentials, account, calls } = JSON.parse(process.argv[2] as string)
const sql = connect(databaseUrl, { max: 2, hasSession: true })
const vault = await openVault(sql, url, credentials)
const bound = createBound({ ceiling: 8 })
const request = { timeout: 20_000, retries: 0, maxBodyBytes: 1_000_000 }
const registry = createRegistry({ url, credentials, vault, bound, request })
let next = 0
let failed = 0
const caller = async (): Promise<void> => {
  while (next++ < calls) {
    const document = { type: 'CPF', number: cpf(next) } as const
    await registry.processes.count(document, account).catch(() => failed++)
  }
}
await Promise.all(Array.from({ length: 8 }, caller))
await registry.close()
await sql.end()
process.stdout.write(String(failed))
