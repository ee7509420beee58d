/** A job that is not about one look-up: importing, exporting, sweeping. It may run twice; each shows its own guard. */
export type Job<Tools, Payload extends object = object> = {
  name: string
  retries: number
  /** At most one of these per key waits, and one runs. */
  key?(payload: Payload): string
  work(payload: Payload, tools: Tools & { signal: AbortSignal }): Promise<void>
}

export type AnyJob<Tools> = Job<Tools, never>
