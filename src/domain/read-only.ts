/** PostgreSQL's code for a write on a server that takes none: a standby, or one that was demoted. */
export const readOnlyCode = '25006'

/** Whether something failed because the server takes no writes. */
export const isReadOnly = (error: unknown): boolean => {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: { code?: unknown } }
  return code === readOnlyCode || cause?.code === readOnlyCode
}
