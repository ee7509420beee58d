import type { z } from 'zod'
import { maskDocuments } from '../domain/mask-documents.ts'
import { enMessages } from '../messages/en/messages.ts'
import type { Message } from '../messages/message.ts'
import { mayActAs, type Role } from '../store/people/operators.ts'
import type { Context } from './context.ts'
import { notFound, Refusal } from './refusal.ts'

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

export const defineOperation = <Input extends z.ZodObject, Output extends z.ZodType>(
  operation: Operation<Input, Output>,
): Operation<Input, Output> => operation

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
  const shape: Record<string, unknown> = operation.input.shape
  const fields = Object.entries(given).map(([name, value]) => [name, fromText(baseOf(shape[name]), value)])
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

/** The kind of value that a field holds, whether or not it may be left out or is transformed. */
export const baseOf = (schema: unknown): string | undefined => {
  const def = (schema as z.core.$ZodType | undefined)?._zod.def as { type: string; innerType?: unknown; in?: unknown }
  if (!def) return undefined
  return def.innerType || def.in ? baseOf(def.innerType ?? def.in) : def.type
}

/** Addresses, forms and command lines hold text. */
const fromText = (base: string | undefined, value: unknown): unknown => {
  if (typeof value !== 'string') return value
  if (base === 'number' && /^\d+(\.\d+)?$/.test(value)) return Number(value)
  if (base === 'boolean' && /^(true|1|yes|on|false|0|no|off)$/i.test(value)) return /^(true|1|yes|on)$/i.test(value)
  if (base === 'array') return value.split(',').map((each) => each.trim())
  return value
}
