/** On whose behalf the registry is asked: every call names an organization, most also its holder and plan. */
export type Account = { organizationId: number; holderId: number; planId: number }
