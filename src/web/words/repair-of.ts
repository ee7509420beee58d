import type { Words } from './en.ts'
import { term } from './term.ts'

/** `reparado: máscara, zeros à esquerda`, of `mask+zeros`. */
export const repairOf = ({ batch, terms }: Words, repair: string): string =>
  batch.repaired(
    repair
      .split('+')
      .map((each) => term(terms.repairs, each))
      .join(', '),
  )
