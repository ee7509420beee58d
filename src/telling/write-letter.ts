import type { Language } from '../domain/languages.ts'
import { inEnglish } from '../domain/said/english.ts'
import { inPortuguese } from '../domain/said/portuguese.ts'
import { enTerms } from '../domain/terms/english.ts'
import { ptBrTerms } from '../domain/terms/portuguese.ts'
import { createFormat } from '../writing/format.ts'
import { enLetters, type LetterWords } from './en-letters.ts'
import type { Letter, Pen, Told } from './letter.ts'
import { ptBrLetters } from './pt-br-letters.ts'
import { batchLetter, laneLetter, plainLetter } from './short-letters.ts'
import { sweepLetter } from './sweep-letter.ts'

export type LetterForm = 'mail' | 'chat'

/** Writes the letter about an event, as long as the form takes it. */
export const writeLetter = (
  told: Told,
  { language, timezone, form }: { language: Language; timezone: string; form: LetterForm },
): Letter => {
  const { tell, ...words } = pens[language]
  const pen: Pen = { ...words, format: createFormat(timezone, { language, tell }), most: mostItems[form] }
  return (letters[told.about] ?? plainLetter)(told, pen)
}

/** The page and the file have them all. Chats cut long messages: the first of them are enough to go and look. */
const mostItems: Record<LetterForm, number> = { mail: 25, chat: 12 }

const letters: Record<string, (told: Told, pen: Pen) => Letter> = {
  'sweep.finished': sweepLetter,
  'portfolio.finished': sweepLetter,
  'rule.met': sweepLetter,
  'batch.done': batchLetter,
  'batch.unconfirmed': batchLetter,
  'lane held': laneLetter,
  'lane free': laneLetter,
}

/** What stands around every letter. */
export const letterWords: Record<Language, LetterWords> = { en: enLetters, 'pt-BR': ptBrLetters }

const pens: Record<Language, Omit<Pen, 'format' | 'most'> & { tell: typeof inEnglish }> = {
  en: { words: enLetters, terms: enTerms, tell: inEnglish },
  'pt-BR': { words: ptBrLetters, terms: ptBrTerms, tell: inPortuguese },
}
