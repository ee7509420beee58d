/** The label of a code from a closed set. A code that is not in it is the registry's own, or an earlier version's: it is shown unchanged. */
export const term = (names: Readonly<Record<string, string>>, value: string): string =>
  Object.hasOwn(names, value) ? (names[value] as string) : value

/** `máscara, zeros à esquerda`, of `mask+zeros`. */
export const repairNames = (names: Record<string, string>, repair: string): string =>
  repair
    .split('+')
    .map((each) => term(names, each))
    .join(', ')
