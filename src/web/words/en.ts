import { inEnglish } from '../../domain/said/english.ts'
import { enBatches } from './en-batches.ts'
import { enRows } from './en-rows.ts'
import { enShell } from './en-shell.ts'
import { enTerms } from './en-terms.ts'
import { enTrouble } from './en-trouble.ts'
import { enWatch } from './en-watch.ts'
import type { Language } from './languages.ts'

/** Every text of the page. Numbers arrive written as its language writes them. */
export type Words = typeof en

export const en = {
  language: 'en' as Language,
  terms: enTerms,
  ...enShell,
  ...enBatches,
  ...enRows,
  ...enWatch,
  ...enTrouble,
  /** What Vigia wrote into its books as code and values. */
  tell: inEnglish,
}
