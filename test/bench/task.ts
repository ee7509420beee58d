/**
 * The body of a process that measures one side: takes its arguments as JSON, and prints its result and its peak memory.
 */
export const runTask = async <Args, Result extends object>(work: (args: Args) => Promise<Result>): Promise<void> => {
  const result = await work(JSON.parse(process.argv[2] ?? '{}') as Args)
  console.log(JSON.stringify({ ...result, peakMiB: peakMiB() }))
}

export const peakMiB = (): number => process.resourceUsage().maxRSS / 1024

export const secondsSince = (began: number): number => (performance.now() - began) / 1_000
