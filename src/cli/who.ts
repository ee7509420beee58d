import { userInfo } from 'node:os'

/** Who stands in the audit log for what is done on the command line. */
export function whoCalls(): string {
  try {
    return `${userInfo().username} (cli)`
  } catch {
    // A container may run under a number that has no name.
    return 'cli'
  }
}
