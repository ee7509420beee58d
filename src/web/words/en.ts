import type { Language } from '../../domain/languages.ts'
import { inEnglish } from '../../domain/said/english.ts'
import { enTerms } from '../../domain/terms/english.ts'
import { enBatches } from './en-batches.ts'
import { enDesk } from './en-desk.ts'
import { enPortfolios } from './en-portfolios.ts'
import { enRows } from './en-rows.ts'
import { enShell } from './en-shell.ts'
import { enTrouble } from './en-trouble.ts'
import { enWatch } from './en-watch.ts'

/** Every text of the page. Numbers arrive written as its language writes them. */
export type Words = typeof en

export const en = {
  language: 'en' as Language,
  terms: enTerms,
  ...enShell,
  ...enBatches,
  ...enRows,
  ...enDesk,
  ...enWatch,
  ...enPortfolios,
  ...enTrouble,
  /** What Vigia wrote into its books as code and values. */
  tell: inEnglish,
}
