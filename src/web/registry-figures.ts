import { Histogram, Registry } from '@prometheus-io/client'

/** How the registry answered this worker since it started. */
export type RegistryFigures = {
  observe(exchange: { operation: string; outcome: string; seconds: number }): void
  /** In the text format of Prometheus. */
  describe(): Promise<string>
}

export const createRegistryFigures = (): RegistryFigures => {
  const registry = new Registry()
  const seconds = new Histogram({
    name: 'vigia_registry_request_seconds',
    help: 'Requests of this worker to the registry, by operation and outcome',
    labelNames: ['operation', 'outcome'],
    buckets: [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
    registers: [registry],
  })
  return {
    observe: ({ operation, outcome, seconds: took }) => seconds.observe({ operation, outcome }, took),
    describe: () => registry.metrics(),
  }
}
