import type { Language } from './languages.ts'
import { inEnglish, inPortuguese } from './message.ts'
import { answerTexts } from './page/answers.ts'
import { batchTexts } from './page/batches.ts'
import { monitoringTexts } from './page/monitoring.ts'
import { shellTexts } from './page/shell.ts'
import { systemTexts } from './page/system.ts'
import { repairNames } from './term.ts'
import { terms } from './terms.ts'
import { workbookTexts } from './workbook.ts'

const formatters = { en: inEnglish, 'pt-BR': inPortuguese }

const page = (language: Language) => ({
  language,
  terms: terms[language],
  ...shellTexts[language],
  ...batchTexts[language],
  ...answerTexts[language],
  ...monitoringTexts[language],
  ...systemTexts[language],
  formatMessage: formatters[language],
})

/** The texts of the page in one language, its terms, and the formatter of its messages. */
export type Labels = ReturnType<typeof page>

export const en = page('en')
export const ptBr = page('pt-BR')

export const labelsIn = (language: Language): Labels => (language === 'en' ? en : ptBr)

/** `reparado: máscara, zeros à esquerda`, of `mask+zeros`. */
export const repairOf = ({ batch, terms }: Labels, repair: string): string =>
  batch.repaired(repairNames(terms.repairs, repair))

/** All texts of a workbook, in one language. */
export type WorkbookLabels = ReturnType<typeof workbookLabels>

export const workbookLabels = (language: Language) => ({
  ...workbookTexts[language],
  terms: terms[language],
  formatMessage: formatters[language],
})
