import type { z } from 'zod'
import type { Settings } from '../../config/settings.ts'
import { addressFields, baseOf, type Operation, perform } from '../operations/operation.ts'
import type { CommandDefinition } from './command.ts'
import { openContext } from './open.ts'
import { openActing } from './open-queues.ts'

/** What a command adds to an operation: its examples, and how the answer looks on a terminal. */
type Face<Output> = Pick<CommandDefinition, 'arguments' | 'examples'> & {
  /** The input, if the arguments are not the fields of the address. */
  inputOf?(args: string[]): Record<string, unknown>
  lines(answer: Output, shown: { settings: Settings; width: number | undefined }): string
}

/** The command of an operation. The fields of its address are the arguments, unless others are given; all others are flags. */
export const operationCommand = <Input extends z.ZodObject, Output extends z.ZodType>(
  operation: Operation<Input, Output>,
  { arguments: given, examples, inputOf, lines }: Face<z.output<Output>>,
): CommandDefinition => {
  const named = addressFields(operation)
  const shape: Record<string, { description?: string }> = operation.input.shape
  return {
    arguments: given ?? named.map((name) => ({ name: `<${name}>`, about: shape[name]?.description ?? '' })),
    options: Object.entries(shape).flatMap(([name, field]) => (named.includes(name) ? [] : [flagOf(name, field)])),
    examples,

    async run(context, args, options) {
      await using opened = await openContext(context.env)
      await using acting = openActing(opened)
      const input = inputOf?.(args) ?? Object.fromEntries(named.map((name, at) => [name, args[at]]))
      const answer = await perform(operation, acting.context, { ...options, ...input })
      context.print(answer, () => lines(answer, { settings: opened.settings, width: context.stdout.columns }))
      return 0
    },
  }
}

const flagOf = (name: string, field: { description?: string }) => {
  const flag = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
  const base = baseOf(field)
  const value = base === 'boolean' ? '' : ` <${base === 'number' ? 'n' : 'text'}>`
  return { flags: `${flag}${value}`, about: field.description ?? '' }
}
