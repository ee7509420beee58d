import module from 'node:module'
import { keepHeapLean } from '../../../src/cli/lean-heap.ts'

/** As `vigia.js` does before it loads anything else: it enables the compile cache of V8. */
export const asProgram = (): void => {
  module.enableCompileCache()
  keepHeapLean()
}
