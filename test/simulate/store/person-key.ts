/** In place of a keyed hash: a text that names no document either. */
export const personKeyOf = (document: string): string => `key of ${[...document].reverse().join('')}`

export const purchaseKeys = async () => personKeyOf
export const personKey = async (_sql: unknown, document: string): Promise<string> => personKeyOf(document)
export const forgetLooks = async (): Promise<void> => {}
