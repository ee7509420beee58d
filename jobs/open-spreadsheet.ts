import { isLoopback } from '../config/loopback.ts'
import { download } from '../src/registry/download.ts'
import type { SpreadsheetRow } from '../src/store/spreadsheets.ts'
import type { Tools } from './tools.ts'

/** Opens the registry's spreadsheet of an analysis; where its temporary address is over, a new one is asked for. */
export const openSpreadsheet =
  ({ registry, accounts, settings, signal }: Tools & { signal: AbortSignal }) =>
  async ({ url, remoteId, remoteKey, organizationId }: SpreadsheetRow) => {
    const allowPrivate = settings.registry === null || isLoopback(new URL(settings.registry.url).hostname)
    const fetch = (address: string) => {
      const patience = AbortSignal.any([signal, AbortSignal.timeout(longestMs)])
      return download(address, { maxBytes: largest, allowPrivate, signal: patience })
    }
    try {
      return await fetch(url)
    } catch (error) {
      const account = accounts.find((each) => BigInt(each.organizationId) === organizationId)
      if (!account) throw error
      const ref = { id: remoteId, uniqueId: remoteKey ?? '' }
      const { spreadsheets } = await registry.analyses.consult(ref, account, { signal })
      if (!spreadsheets.full || spreadsheets.full === url) throw error
      return fetch(spreadsheets.full)
    }
  }

const largest = 64 * 1024 * 1024
/** However slowly it drips. */
const longestMs = 5 * 60_000
