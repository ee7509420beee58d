import { en, type Words } from './en.ts'
import { ptBr } from './pt-br.ts'

/** The first language of the browser's list that we speak; English where there is none. */
export const chooseWords = (acceptLanguage: string | undefined): Words => {
  const wanted = (acceptLanguage ?? '')
    .split(',')
    .map((entry) => {
      const [tag = '', ...options] = entry.trim().toLowerCase().split(';')
      const weight = options.map((option) => /^\s*q=([\d.]+)$/.exec(option)?.[1]).find(Boolean)
      return { language: tag.split('-')[0] ?? '', weight: Number(weight ?? 1) }
    })
    .sort((a, b) => b.weight - a.weight)
  return wanted.find(({ language }) => language === 'pt' || language === 'en')?.language === 'pt' ? ptBr : en
}
