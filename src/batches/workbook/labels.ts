import type { Language } from '../../domain/languages.ts'
import { inEnglish } from '../../domain/messages/english.ts'
import { inPortuguese } from '../../domain/messages/portuguese.ts'
import { enTerms } from '../../domain/terms/english.ts'
import { ptBrTerms } from '../../domain/terms/portuguese.ts'
import { enWorkbookLabels } from './labels-en.ts'
import { ptBrWorkbookLabels } from './labels-pt-br.ts'

/** All texts of a workbook, in one language. */
export type WorkbookLabels = (typeof labelsIn)[Language]

const labelsIn = {
  en: { ...enWorkbookLabels, terms: enTerms, formatMessage: inEnglish },
  'pt-BR': { ...ptBrWorkbookLabels, terms: ptBrTerms, formatMessage: inPortuguese },
}

export const workbookLabels = (language: Language): WorkbookLabels => labelsIn[language]
