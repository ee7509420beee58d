import type { Language } from '../../domain/languages.ts'
import { inEnglish } from '../../domain/said/english.ts'
import { inPortuguese } from '../../domain/said/portuguese.ts'
import { enTerms } from '../../domain/terms/english.ts'
import { ptBrTerms } from '../../domain/terms/portuguese.ts'
import { enWords } from './words-en.ts'
import { ptBrWords } from './words-pt-br.ts'

/** Everything that a workbook says, in one language. */
export type WorkbookWords = (typeof wordsIn)[Language]

const wordsIn = {
  en: { ...enWords, terms: enTerms, tell: inEnglish },
  'pt-BR': { ...ptBrWords, terms: ptBrTerms, tell: inPortuguese },
}

export const workbookWords = (language: Language): WorkbookWords => wordsIn[language]
