import type { Question, Reception } from '../registry/model-registry.ts'

export type OpenRequest = { close(): void }

/** The way from the worker that runs now to the registry of the history. */
export type Network = {
  send(question: Question, bearer: string, timeoutMs: number, receive: (reception: Reception) => void): OpenRequest
}

let current: Network | null = null

export const useNetwork = (network: Network | null): void => {
  current = network
}

export const network = (): Network => {
  if (!current) throw new Error('No history runs')
  return current
}
