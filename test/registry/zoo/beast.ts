/** The result of an operation: the class of its failure, or an answer. */
export type Outcome =
  | 'answer'
  | 'Unanswered'
  | 'Refused'
  | 'TooManyRequests'
  | 'TokenDead'
  | 'PlanBlocked'
  | 'AccessDenied'
  | 'InvalidDocument'
  | 'NotFound'

export type OperationName =
  | 'cnh.request'
  | 'cnh.read'
  | 'cnh.latest'
  | 'analyses.generate'
  | 'analyses.consult'
  | 'activities.list'
  | 'processes.count'
  | 'processes.inactivate'
  | 'radars.add'
  | 'radars.list'
  | 'scr.indicators'
  | 'token.refresh'

export type Beast = {
  name: string
  /** The bytes on the wire; then the connection is closed, or stays open if the beast never ends. */
  bytes: string | Buffer
  staysOpen?: boolean
  outcome: Outcome
  except?: Partial<Record<OperationName, Outcome>>
}

export const crlf = '\r\n'

export const raw = (status: string, headers: string[], body: string | Buffer) =>
  Buffer.concat([Buffer.from([`HTTP/1.1 ${status}`, ...headers, '', ''].join(crlf)), Buffer.from(body)])

export const reply = (status: string, body: string | Buffer, ...headers: string[]) =>
  raw(status, ['content-type: application/json', `content-length: ${Buffer.byteLength(body)}`, ...headers], body)

export const page = '<!doctype html><html><body><h1>It works!</h1></body></html>'
export const refusedRefresh = { 'token.refresh': 'TokenDead' } as const
/** The radar list accepts any object or null as an incomplete list. */
export const notAList = { 'radars.list': 'answer' } as const
/** A body that matches no known body is the indicators. (product.md 3) */
export const anyShape = { 'radars.list': 'answer', 'scr.indicators': 'answer' } as const
/** A licence request that is not there yet, a CPF without a licence, and an empty list of analyses. */
export const absent = { 'cnh.read': 'answer', 'cnh.latest': 'answer', 'activities.list': 'answer' } as const
export const emptyList = { 'activities.list': 'answer' } as const
export const onceOnly = {
  'cnh.request': 'Unanswered',
  'analyses.generate': 'Unanswered',
  'radars.add': 'Unanswered',
} as const

export const named = (
  status: string,
  body: object,
  outcome: Outcome,
  except?: Beast['except'],
): Omit<Beast, 'name'> => ({
  bytes: reply(status, JSON.stringify(body)),
  outcome,
  except,
})
