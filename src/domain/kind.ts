/** Which question a look-up asks. */
export const kinds = ['analysis', 'cnh', 'scr', 'processes', 'radar', 'inactivation'] as const

export type Kind = (typeof kinds)[number]

/** Kinds whose first call costs money: it is sent once, after its intent is on record. */
export const spendingKinds: readonly Kind[] = ['analysis', 'cnh']

/** Kinds whose first call changes something at the registry and must not be repeated blindly. */
export const intentKinds: readonly Kind[] = ['analysis', 'cnh', 'radar']

export const isKind = (text: string): text is Kind => (kinds as readonly string[]).includes(text)
