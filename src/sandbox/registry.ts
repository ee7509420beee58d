import type { Account } from '../domain/lookup.ts'
import type { Epoch } from './data/risk.ts'
import type { Exchange } from './ledger.ts'
import type { Happening, SandboxRecords } from './records.ts'
import type { Scenario } from './scenario.ts'

/** What an operation works with. */
export type SandboxInternals = {
  readonly seed: number
  readonly now: () => number
  readonly scenario: Scenario
  readonly records: SandboxRecords
  readonly readyAfterMs: number
  /** The base address of its spreadsheets; known once it listens. */
  readonly files: { url: string }
  /** Writes a happening to the journal and the records, before the answer is sent. */
  record(happening: Happening): void
}

export type Reply = { status: number; body: unknown; headers?: Record<string, string> }

/** One request as an operation receives it: its validated body, and the caller. */
export type Order = {
  exchange: Exchange
  params: Record<string, string>
  query: string
  body: unknown
  stuck: boolean
  email: string | null
}

export type Work = (call: Order, registry: SandboxInternals) => Reply

/** The work of an operation whose caller may use the organization that it names. */
export type AccountWork = (call: Order, registry: SandboxInternals, account: Account) => Reply

export const epochOf = (registry: SandboxInternals): Epoch => ({
  seed: registry.seed,
  day: registry.records.day,
  changeShare: registry.scenario.changeShare,
})

/** How far an asynchronous request has come, from 0 to 1 (ready). */
export const progressOf = (registry: SandboxInternals, started: { at: number; stuck: boolean }): number => {
  if (started.stuck) return 0.5
  return registry.readyAfterMs === 0 ? 1 : Math.min(1, (registry.now() - started.at) / registry.readyAfterMs)
}

const reply = (status: number, body: object): Reply => ({ status, body })
const refusal = (status: number, message: string, error: string) => reply(status, { message, error })

/** The error bodies of the interface. It shows no HTTP codes, so these are the usual ones. (Interface 7) */
export const refusals = {
  accessDenied: refusal(403, 'User / Organization - Access Denied', 'ErrorForbiddenException'),
  emailRequired: refusal(404, 'email required', 'ObjectNotFoundException'),
  processMissing: refusal(404, 'processNumber not exist', 'ObjectNotFoundException'),
  processParametersRequired: refusal(
    400,
    'Parameter processNumber and organizationId are required',
    'WrongParameterException',
  ),
  serverFailure: refusal(500, 'Internal server error', 'InternalServerError'),
  unauthorized: refusal(401, 'Invalid or expired token', 'UnauthorizedException'),
  refreshRefused: refusal(401, 'Invalid refresh token', 'UnauthorizedException'),
  tooManyRequests: refusal(429, 'Too many requests', 'TooManyRequestsException'),
  unavailable: refusal(503, 'Service unavailable', 'ServiceUnavailableException'),
  noSuchOperation: refusal(404, 'No such operation', 'ObjectNotFoundException'),
  cnhMissing: refusal(404, 'CNH not found', 'ObjectNotFoundException'),
  planNotAllowed: reply(403, { status: 'PLAN_NOT_ALLOWED', message: 'The plan does not permit this resource' }),
  invalidDocument: reply(400, {
    status: 'INVALID_DOCUMENT',
    message: 'Documento inválido: dígito verificador não confere',
  }),
  processing: reply(200, { status: 'PROCESSING', message: 'The query is being processed' }),
  /** The further SCR error body. */
  typedError: reply(200, { type: 'ERROR', message: 'The source is not available' }),
}

export const wrongParameters = (names: string): Reply =>
  refusal(400, `Parameter ${names} is missing or wrong`, 'WrongParameterException')
