/**
 * Whether something failed because PostgreSQL could not be reached, is stopping or is starting, by the errors of both
 * drivers. Calls to the registry and mails have errors of their own, whose codes differ.
 */
export const isDatabaseGone = (error: unknown): boolean => {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown }
  if (code === undefined) return String(message).split(' (Queue: ')[0] === cutOff
  return /^(ECONNREFUSED|ECONNRESET|ENOTFOUND|EHOSTUNREACH|ETIMEDOUT|EAI_AGAIN|EPIPE|CONNECT|08|57P0[123])/.test(
    String(code),
  )
}

/** What the driver of pg-boss says of a connection that was cut; it gives no code. pg-boss adds the queue. */
const cutOff = 'Connection terminated unexpectedly'

/** PostgreSQL's code for a write on a server that takes none: a standby, or one that was demoted. */
export const readOnlyCode = '25006'

/** Whether something failed because the server takes no writes. */
export const isReadOnly = (error: unknown): boolean => {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: { code?: unknown } }
  return code === readOnlyCode || cause?.code === readOnlyCode
}
