import { isLanguage, type Language } from '../../domain/languages.ts'
import { repairNames } from '../../domain/terms/term.ts'
import { en, type Labels } from './en.ts'
import { ptBr } from './pt-br.ts'

/** The language a person chose; else the first supported one in the browser's list; else English. */
export const chooseLabels = (acceptLanguage: string | undefined, chosen?: string): Labels =>
  isLanguage(chosen) ? labelsOf[chosen] : labelsOf[preferred(acceptLanguage)]

const labelsOf: Record<Language, Labels> = { en, 'pt-BR': ptBr }

export const labelsIn = (language: Language): Labels => labelsOf[language]

/** By primary tag, so that `pt-PT` gets Portuguese. @fastify/accept-negotiator compares full tags, in our order. */
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

/** `reparado: máscara, zeros à esquerda`, of `mask+zeros`. */
export const repairOf = ({ batch, terms }: Labels, repair: string): string =>
  batch.repaired(repairNames(terms.repairs, repair))
