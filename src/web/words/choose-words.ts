import { en, type Words } from './en.ts'
import { ptBr } from './pt-br.ts'

/** The languages of the page, each under the name that it has in itself. */
export const languages = { en: 'English', 'pt-BR': 'Português' } as const
export type Language = keyof typeof languages

export const isLanguage = (text: string | undefined): text is Language =>
  text !== undefined && Object.hasOwn(languages, text)

/** What a person chose; else the first language of the browser's list that we speak, English where there is none. */
export const chooseWords = (acceptLanguage: string | undefined, chosen?: string): Words =>
  isLanguage(chosen) ? wordsOf[chosen] : wordsOf[preferred(acceptLanguage)]

const wordsOf: Record<Language, Words> = { en, 'pt-BR': ptBr }

const preferred = (acceptLanguage: string | undefined): Language => {
  const wanted = (acceptLanguage ?? '')
    .split(',')
    .map((entry) => {
      const [tag = '', ...options] = entry.trim().toLowerCase().split(';')
      const weight = options.map((option) => /^\s*q=([\d.]+)$/.exec(option)?.[1]).find(Boolean)
      return { language: tag.split('-')[0] ?? '', weight: Number(weight ?? 1) }
    })
    .sort((a, b) => b.weight - a.weight)
  return wanted.find(({ language }) => language === 'pt' || language === 'en')?.language === 'pt' ? 'pt-BR' : 'en'
}
