import { createTeller } from './create-teller.ts'
import type { Words } from './en.ts'
import { ptBrBatches } from './pt-br-batches.ts'
import { ptBrFailures } from './pt-br-failures.ts'
import { ptBrRefusals } from './pt-br-refusals.ts'
import { ptBrRejects } from './pt-br-rejects.ts'
import { ptBrRows } from './pt-br-rows.ts'
import { ptBrShell } from './pt-br-shell.ts'
import { ptBrStories } from './pt-br-stories.ts'
import { ptBrTerms } from './pt-br-terms.ts'
import { ptBrTrouble } from './pt-br-trouble.ts'
import { ptBrWatch } from './pt-br-watch.ts'

/** Every text of the page, for Brazil. */
export const ptBr: Words = {
  language: 'pt-BR',
  terms: ptBrTerms,
  ...ptBrShell,
  ...ptBrBatches,
  ...ptBrRows,
  ...ptBrWatch,
  ...ptBrTrouble,
  tell: createTeller([...ptBrStories, ...ptBrFailures, ...ptBrRefusals, ...ptBrRejects]),
}
