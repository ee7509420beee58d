import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Where processes that tests start find their files compiled, as those of the vigia command do: a worker then takes half of
 * the processor time to start, and the compiler that takes the types away is no part of the memory measured.
 */
export const compileCache = join(tmpdir(), 'vigia-test-compiled')
