import type { Account } from '../domain/lookup.ts'
import { download } from './download.ts'
import type { Registry } from './registry.ts'

type Opening = {
  registry: Registry
  accounts: readonly Account[]
  /** A registry on this machine gives addresses on this machine. */
  local: boolean
  signal: AbortSignal
}

/** A spreadsheet that the registry made of an analysis, with the address that the answer gave. */
type Spreadsheet = { url: string; remoteId: string; remoteKey: string | null; organizationId: bigint }

/** Opens the registry's spreadsheet of an analysis. If its temporary address has expired, asks for a new one. */
export const spreadsheetOpener =
  ({ registry, accounts, local, signal }: Opening) =>
  async ({ url, remoteId, remoteKey, organizationId }: Spreadsheet) => {
    const fetch = (address: string) => {
      const timeout = AbortSignal.any([signal, AbortSignal.timeout(longestMs)])
      return download(address, { maxBytes: largest, allowPrivate: local, signal: timeout })
    }
    try {
      return await fetch(url)
    } catch (error) {
      const account = accounts.find((each) => BigInt(each.organizationId) === organizationId)
      if (!account) throw error
      const ref = { id: remoteId, uniqueId: remoteKey ?? '' }
      const { spreadsheets } = await registry.analyses.consult(ref, account, { signal })
      const address = spreadsheets.full ?? spreadsheets.partial
      if (!address || address === url) throw error
      return fetch(address)
    }
  }

const largest = 64 * 1024 * 1024
/** The limit for a download, however slowly it arrives. */
const longestMs = 5 * 60_000
