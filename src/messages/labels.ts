import { enNotifications } from './en/notifications.ts'
import { enPage } from './en/page.ts'
import { enTerms } from './en/terms.ts'
import { enWorkbook } from './en/workbook.ts'
import type { Language } from './languages.ts'
import { inEnglish, inPortuguese } from './message.ts'
import { ptBrNotifications } from './pt-BR/notifications.ts'
import { ptBrPage } from './pt-BR/page.ts'
import { ptBrTerms } from './pt-BR/terms.ts'
import { ptBrWorkbook } from './pt-BR/workbook.ts'
import { repairNames } from './term.ts'

/** The texts of the page in one language, its terms, and the formatter of its messages. */
export type Labels = typeof en

export const en = { language: 'en' as Language, terms: enTerms, ...enPage, formatMessage: inEnglish }
export const ptBr: Labels = { language: 'pt-BR', terms: ptBrTerms, ...ptBrPage, formatMessage: inPortuguese }

export const labelsIn = (language: Language): Labels => labels[language]

const labels: Record<Language, Labels> = { en, 'pt-BR': ptBr }

/** `reparado: máscara, zeros à esquerda`, of `mask+zeros`. */
export const repairOf = ({ batch, terms }: Labels, repair: string): string =>
  batch.repaired(repairNames(terms.repairs, repair))

/** All texts of a workbook, in one language. */
export type WorkbookLabels = ReturnType<typeof workbookLabels>

export const workbookLabels = (language: Language) => workbooks[language]

const workbooks = {
  en: { ...enWorkbook, terms: enTerms, formatMessage: inEnglish },
  'pt-BR': { ...ptBrWorkbook, terms: ptBrTerms, formatMessage: inPortuguese },
}

/** The texts of mails and chat messages. Numbers arrive formatted in the language of the text. */
export type NotificationLabels = typeof enNotifications

export const notificationLabels: Record<Language, NotificationLabels> = {
  en: enNotifications,
  'pt-BR': ptBrNotifications,
}
