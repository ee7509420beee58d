import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files of tests that start programs and engines: they take longest, however short they are. */
const startsThings = /\/test\/(cli|store|jobs|batches|registry\/four-processes|watchdog)\b/

/**
 * Begins with what takes longest, so that no worker is left alone with it at the end.
 *
 * Vitest does so by itself where an earlier run told it how long each file takes; on a fresh machine it goes by size.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    if (sorted.some((file) => this.ctx.cache.getTestSpecificationResult(file))) return sorted
    const isLong = ({ moduleId }: TestSpecification) => startsThings.test(moduleId)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}
