import type { Language } from './languages.ts'

/** A text in English and in Brazilian Portuguese. One with values in it is a function of them. */
type Pair = readonly [en: string, ptBr: string]
type Texts = { readonly [name: string]: Pair | ((...values: never[]) => Pair) | Texts }

type InOneLanguage<T> = {
  [Name in keyof T]: T[Name] extends Pair
    ? string
    : T[Name] extends (...values: infer Values) => Pair
      ? (...values: Values) => string
      : InOneLanguage<T[Name]>
}

/** Texts that are written in both languages side by side, so that neither lacks one; given as one catalog per language. */
export const sideBySide = <T extends Texts>(texts: T): Record<Language, InOneLanguage<T>> => ({
  en: inLanguage(texts, 0) as InOneLanguage<T>,
  'pt-BR': inLanguage(texts, 1) as InOneLanguage<T>,
})

const inLanguage = (texts: Texts, place: 0 | 1): object =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, textIn(text, place)]))

const textIn = (text: Texts[string], place: 0 | 1): unknown => {
  if (typeof text === 'function') return (...values: never[]) => text(...values)[place]
  return isPair(text) ? text[place] : inLanguage(text, place)
}

const isPair = (text: Pair | Texts): text is Pair => Array.isArray(text)
