import type { Classification } from './classifications.ts'

/** What an answer comes to at a glance: something that the registry calls a risk, lawsuits without one, or none at all. */
export const riskLevels = ['risk', 'lawsuits', 'clear'] as const
export type RiskLevel = (typeof riskLevels)[number]

/** Whether a classification is one of risk, by the registry's own name for it. */
export const isRiskClass = (key: Classification): boolean => /(?<!WITHOUT_)RISK/.test(key)
