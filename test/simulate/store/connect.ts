export const besideAnother = <T>(_sql: unknown, work: () => Promise<T>): Promise<T> => work()
