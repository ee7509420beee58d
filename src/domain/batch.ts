export type BatchState = 'importing' | 'unconfirmed' | 'running' | 'cancelled' | 'done' | 'rejected'
export type BatchSource = 'cli' | 'inbox' | 'page' | 'sweep'
