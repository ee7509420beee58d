/** The label of a value from a closed set; a value that is not in it is shown unchanged. */
export const term = (names: Record<string, string>, value: string): string =>
  Object.hasOwn(names, value) ? (names[value] as string) : value

/** `máscara, zeros à esquerda`, of `mask+zeros`. */
export const repairNames = (names: Record<string, string>, repair: string): string =>
  repair
    .split('+')
    .map((each) => term(names, each))
    .join(', ')
