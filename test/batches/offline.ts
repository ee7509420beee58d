import type { Tools } from '../../jobs/tools.ts'

/** Import and export do not call the registry. Without an account in the settings, no list is read either. */
export const offline = (tools: Omit<Tools, 'registry' | 'accounts'>): Tools & { signal: AbortSignal } =>
  ({ ...tools, accounts: [], signal: new AbortController().signal }) as unknown as Tools & { signal: AbortSignal }
