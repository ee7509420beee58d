import type { Tools } from '../../jobs/tools.ts'

/** Neither import nor export speaks to the registry where the settings name no account: then no list is read. */
export const offline = (tools: Omit<Tools, 'registry' | 'accounts'>): Tools & { signal: AbortSignal } =>
  ({ ...tools, accounts: [], signal: new AbortController().signal }) as unknown as Tools & { signal: AbortSignal }
