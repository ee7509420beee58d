import { inPortuguese } from '../../domain/messages/portuguese.ts'
import { ptBrTerms } from '../../domain/terms/portuguese.ts'
import type { Labels } from './en.ts'
import { ptBrBatches } from './pt-br-batches.ts'
import { ptBrDesk } from './pt-br-desk.ts'
import { ptBrIncidents } from './pt-br-incidents.ts'
import { ptBrPortfolios } from './pt-br-portfolios.ts'
import { ptBrRows } from './pt-br-rows.ts'
import { ptBrShell } from './pt-br-shell.ts'
import { ptBrWatch } from './pt-br-watch.ts'

/** Every text of the page, for Brazil. */
export const ptBr: Labels = {
  language: 'pt-BR',
  terms: ptBrTerms,
  ...ptBrShell,
  ...ptBrBatches,
  ...ptBrRows,
  ...ptBrDesk,
  ...ptBrWatch,
  ...ptBrPortfolios,
  ...ptBrIncidents,
  formatMessage: inPortuguese,
}
