import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Test files that start programs and engines: they take longest, however short they are. */
const startsThings = /\/test\/(cli|store|jobs|batches|registry\/four-processes|watchdog)\b/

/**
 * Starts with what takes longest, so that no worker is left alone with it at the end.
 *
 * Vitest does so by itself if it has the durations of an earlier run; on a new machine it sorts by size.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    if (sorted.some((file) => this.ctx.cache.getTestSpecificationResult(file))) return sorted
    const isLong = ({ moduleId }: TestSpecification) => startsThings.test(moduleId)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}
