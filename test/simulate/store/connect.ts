export const besideAnother = <T>(_sql: unknown, work: () => Promise<T>): Promise<T> => work()

/** The codes that a model of the database throws when it is away. */
export const isPassing = (error: unknown): boolean =>
  String((error as { code?: unknown } | null)?.code).startsWith('08')
