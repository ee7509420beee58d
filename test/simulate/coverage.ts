/** Every transition and outcome that a history can bring together; `npm run simulate -- --coverage` fails where one is missing. */
const reachable: readonly string[] = []

export const missingPairs = (pairs: Record<string, number>): string[] => reachable.filter((pair) => !pairs[pair])
