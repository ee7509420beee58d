import type { Language } from '../../domain/languages.ts'
import { inEnglish } from '../../domain/messages/english.ts'
import { enTerms } from '../../domain/terms/english.ts'
import { enBatches } from './en-batches.ts'
import { enDesk } from './en-desk.ts'
import { enIncidents } from './en-incidents.ts'
import { enPortfolios } from './en-portfolios.ts'
import { enRows } from './en-rows.ts'
import { enShell } from './en-shell.ts'
import { enWatch } from './en-watch.ts'

/** Every text of the page. Numbers arrive written as its language writes them. */
export type Labels = typeof en

export const en = {
  language: 'en' as Language,
  terms: enTerms,
  ...enShell,
  ...enBatches,
  ...enRows,
  ...enDesk,
  ...enWatch,
  ...enPortfolios,
  ...enIncidents,
  /** Formats the messages that Vigia stores as a code and its values. */
  formatMessage: inEnglish,
}
