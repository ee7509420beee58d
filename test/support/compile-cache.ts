import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * The compile cache of processes that tests start, as the vigia command uses it. A worker then takes half of the processor
 * time to start, and the compiler that strips the types is not part of the measured memory.
 */
export const compileCache = join(tmpdir(), 'vigia-test-compiled')
