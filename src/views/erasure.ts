import { z } from 'zod'

/** What was erased of a person, and what may store the person's data again. */
export const erasure = z.object({
  lookups: z.int(),
  batches: z.array(z.int()).describe('batches whose reports are written again'),
  storedFiles: z.int(),
  monitoredBy: z.array(z.int()).describe('organizations whose radar list still has the person'),
  portfolios: z.array(z.string()).describe('portfolios from whose lists the person was removed'),
  files: z.object({ blanked: z.int(), deleted: z.int() }).describe('in the folders of this machine'),
})
export type ErasureShown = z.output<typeof erasure>

type Erased = Omit<ErasureShown, 'batches' | 'monitoredBy'> & { batches: bigint[]; monitoredBy: bigint[] }

export const toErasureView = (erased: Erased): ErasureShown => ({
  lookups: erased.lookups,
  batches: erased.batches.map(Number),
  storedFiles: erased.storedFiles,
  monitoredBy: erased.monitoredBy.map(Number),
  portfolios: erased.portfolios,
  files: { blanked: erased.files.blanked, deleted: erased.files.deleted },
})
