/** What an answer comes to at a glance: something that the registry calls a risk, lawsuits without one, or none at all. */
export const riskLevels = ['risk', 'lawsuits', 'clear'] as const
export type RiskLevel = (typeof riskLevels)[number]
