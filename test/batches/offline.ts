import type { Tools } from '../../jobs/tools.ts'

/** Neither import nor export speaks to the registry. */
export const offline = (tools: Omit<Tools, 'registry'>): Tools & { signal: AbortSignal } =>
  ({ ...tools, signal: new AbortController().signal }) as Tools & { signal: AbortSignal }
