import { z } from 'zod'
import type { Settings } from '../../config/settings.ts'
import type { Steering } from '../batches/pause-resume-cancel.ts'
import type { ListedPurchases } from '../batches/resolve.ts'
import { maskDocuments } from '../domain/mask-documents.ts'
import { legalBases, longestPurpose } from '../domain/purpose.ts'
import { enMessages } from '../messages/en/messages.ts'
import { inEnglish, type Message } from '../messages/message.ts'
import type { MonitoringTools } from '../monitoring/monitoring-tools.ts'
import type { Database } from '../store/connect.ts'
import { mayActAs, type Role } from '../store/people/operators.ts'
import type { SweepName } from '../store/radars/sweeps.ts'
import type { Limit } from '../views/fields.ts'
import type { SweepQuote } from '../views/sweep.ts'

/**
 * One action, or one thing shown. The command, the API route with its description and the form of the page are made from
 * it: none of them checks anything again.
 */
export type Operation<Input extends z.ZodObject = z.ZodObject, Output extends z.ZodType = z.ZodType> = {
  /** Its name in the description of the API. */
  name: string
  summary: string
  role: Role
  /**
   * Its place in the API, as OpenAPI writes it; a name in braces is a field of the input. An operation that takes a file
   * has its fields in the form, except those named after a question mark.
   */
  route: `${'GET' | 'POST'} /${string}`
  input: Input
  output: Output
  run(context: Context, input: z.output<Input>): Promise<z.output<Output>>
}

type Definition<Input extends z.ZodObject, Output extends z.ZodType> = Omit<
  Operation<Input, Output>,
  'name' | 'role' | 'route' | 'input'
>
type Nothing = z.ZodObject<Record<never, z.ZodType>>

/** An operation without an input may leave it out. */
export const defineOperation = <Output extends z.ZodType, Input extends z.ZodObject = Nothing>(
  name: string,
  role: Role,
  route: Operation['route'],
  { input = z.object({}) as unknown as Input, ...rest }: Definition<Input, Output> & { input?: Input },
): Operation<Input, Output> => ({ name, role, route, input, ...rest })

/** Checks the role and the input, and runs the operation. `given` may hold text where the input has numbers or lists. */
export const perform = async <Input extends z.ZodObject, Output extends z.ZodType>(
  operation: Operation<Input, Output>,
  context: Context,
  given: Record<string, unknown> = {},
  label?: Label,
): Promise<z.output<Output>> => {
  checkRole({ name: context.by, role: context.role }, operation.role)
  const answer = await operation.run(context, readInput(operation, given, label))
  if (operation.route.startsWith('POST')) context.wake()
  return answer
}

/** How a caller names a field. */
type Label = (field: string) => string

export const checkRole = ({ name, role }: { name: string; role: Role }, needed: Role): void => {
  if (mayActAs(role, needed)) return
  throw new Refusal(403, 'not_allowed', `This takes the role ${needed}, ${name} is ${role}`)
}

/** The fields that the address of an operation names. */
export const addressFields = ({ route }: Pick<Operation, 'route'>): string[] =>
  [...route.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string)

/** Reads the input; its errors name the fields, and repeat no document. */
export const readInput = <Input extends z.ZodObject>(
  operation: Pick<Operation<Input>, 'input' | 'route'>,
  given: Record<string, unknown>,
  label: Label = (field) => field,
): z.output<Input> => {
  const shape: Record<string, z.core.$ZodType> = operation.input.shape
  const fields = Object.entries(given).map(([name, value]) => [
    name,
    fromText(innerOf(shape[name])?._zod.def.type, value),
  ])
  const result = operation.input.safeParse(Object.fromEntries(fields))
  if (result.success) return result.data
  const missing = addressFields(operation).find((name) => result.error.issues.some(({ path }) => path[0] === name))
  throw missing ? notFound(missing) : new Refusal(422, 'wrong_request', wrongInput(result.error.issues, label))
}

/** A field may give the code of a message as its error; a name that is not expected may be a document. */
const wrongInput = (issues: readonly z.core.$ZodIssue[], label: Label): Message => {
  const code = issues.map(({ message }) => message).find((message) => Object.hasOwn(enMessages, message))
  if (code) return [code] as unknown as Message
  const texts = issues.map(({ path, message }) => `${label(path.join('.'))}: ${message}`)
  return ['text', maskDocuments(texts.join('; '))]
}

/** What a field holds, whether or not it may be left out or is transformed. */
export const innerOf = (schema: z.core.$ZodType | undefined): z.core.$ZodType | undefined => {
  const { innerType, in: before } = (schema?._zod.def ?? {}) as { innerType?: z.core.$ZodType; in?: z.core.$ZodType }
  const inner = innerType ?? before
  return inner ? innerOf(inner) : schema
}

/** Addresses, forms and command lines hold text. */
const fromText = (base: string | undefined, value: unknown): unknown => {
  if (typeof value !== 'string') return value
  if (base === 'number' && /^\d+(\.\d+)?$/.test(value)) return Number(value)
  if (base === 'boolean' && /^(true|1|yes|on|false|0|no|off)$/i.test(value)) return /^(true|1|yes|on)$/i.test(value)
  if (base === 'array') return value.split(',').map((each) => each.trim())
  return value
}

/** What an operation works with: who acts, and the installation, limited to the organizations of that person. */
export type Context = {
  by: string
  role: Role
  sql: Database
  clock: () => Date
  settings: Pick<Settings, 'alerts' | 'budget' | 'forKind' | 'purpose' | 'retention' | 'rules' | 'timezone'>
  home: MonitoringTools['home']
  accounts: readonly { organizationId: number }[]
  /** Shows documents in full: only on the command line, whose caller has the database. */
  unmasked?: boolean
  /** The registry's list of purchases; needed to adopt a parked purchase. */
  purchases: ListedPurchases
  /** How much a recurring task would buy now, at most; it reads the registry's list. */
  quoteSweep: (name: SweepName) => Promise<SweepQuote>
  /** Opens the queues, for what enqueues jobs. */
  queues: () => Promise<MonitoringTools['boss']>
  /** Called in the transaction that finished these batches. */
  finished: Steering['finished']
  /** Called when something may be due now. */
  wake: () => void
}

/** A refused request. The status is for machines; the page shows people the text of the code. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly status: 400 | 401 | 403 | 404 | 409 | 413 | 422
  readonly code: RefusalCode
  /** The exact reason, if the code alone does not give it. */
  readonly reason: Message | null
  /** On the command line: 2 is a wrong call. */
  readonly exitCode: 1 | 2

  constructor(status: Refusal['status'], code: RefusalCode, what: string | Message) {
    super(typeof what === 'string' ? what : inEnglish(what))
    this.status = status
    this.code = code
    this.exitCode = status === 404 || status === 422 ? 2 : 1
    this.reason = typeof what === 'string' ? null : what
  }
}

export type RefusalCode =
  | 'not_signed_in'
  | 'not_allowed'
  | 'not_bound'
  | 'not_found'
  | 'stale_form'
  | 'wrong_host'
  | 'wrong_request'
  | 'too_large'
  | 'wrong_token'
  | 'used_link'
  | 'no_spreadsheet'

export const notFound = (what: string): Refusal => new Refusal(404, 'not_found', `There is no ${what}`)

/** The number of a thing, as addresses and people write it. */
export const id = z
  .string()
  .regex(/^\d{1,18}$/)
  .transform(BigInt)

export const line = z.int().min(0).max(2_147_483_647)

/** Which document of a row, where each row is asked about several. */
export const column = z.string().max(200).optional().describe('the column of the document, where a row has several')

/** A number of paid calls. */
export const units = z.int().min(0).max(2_000_000_000)

export const purpose = z
  .string()
  .max(longestPurpose)
  .optional()
  .describe(`why: a legal basis (${legalBases.join(', ')}), a text, or "basis: text"`)

/** A file, which is taken once, while it arrives. */
export type GivenFile = { name: string; bytes: AsyncIterable<Uint8Array> }

export const file = z.custom<GivenFile>((given) => given !== undefined)

/** How many of a list are returned. */
export const limitOf = ({ usual, most }: Limit) => z.int().min(1).max(most).default(usual).describe('how many to show')
