import module from 'node:module'
import { keepHeapLean } from '../../../src/cli/lean-heap.ts'

/** As `vigia.js` does before it loads anything else: what V8 takes for loading, it keeps. */
export const asProgram = (): void => {
  module.enableCompileCache()
  keepHeapLean()
}
