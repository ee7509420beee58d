import type { z } from 'zod'
import type { Settings } from '../../config/settings.ts'
import { addressFields, baseOf, type Operation, perform } from '../operations/operation.ts'
import type { CommandContext, CommandDefinition } from './command.ts'
import { type Column, localMoment, renderTable } from './lines/texts.ts'
import { openContext } from './open.ts'
import { openActing } from './open-queues.ts'

/** What a command adds to an operation: its examples, and how the answer looks on a terminal. */
type Face<Input, Output> = Pick<CommandDefinition, 'arguments' | 'examples'> & {
  /** The fields that are flags, if not all of them. */
  flags?: readonly (keyof Input & string)[]
  /** Flags that only change how it looks. */
  options?: CommandDefinition['options']
  /** The input, if the arguments are not the fields of the address. */
  inputOf?(args: string[]): Record<string, unknown>
  lines(answer: Output, shown: Shown): string
}

type Shown = {
  settings: Settings
  stdout: CommandContext['stdout']
  options: Record<string, unknown>
  /** A moment in the operator's timezone. */
  at(moment: string | null): string
  /** A table as wide as the terminal; `none` where there are no rows. */
  table<Row>(rows: readonly Row[], columns: readonly Column<Row>[], none?: string): string
}

/** The command of an operation. The fields of its address are the arguments, unless others are given; all others are flags. */
export const operationCommand = <Input extends z.ZodObject, Output extends z.ZodType>(
  operation: Operation<Input, Output>,
  { arguments: given, flags, options: ofFace = [], examples, inputOf, lines }: Face<z.output<Input>, z.output<Output>>,
): CommandDefinition => {
  const named = addressFields(operation)
  const shape: Record<string, z.ZodType> = operation.input.shape
  const asked = flags ?? Object.keys(shape).filter((name) => !named.includes(name))
  return {
    arguments: given ?? named.map((name) => ({ name: `<${name}>`, about: shape[name]?.description ?? '' })),
    options: [...asked.map((name) => flagOf(name, shape[name])), ...ofFace],
    examples,

    async run(context, args, options) {
      await using opened = await openContext(context.env)
      await using acting = openActing(opened)
      const input = inputOf?.(args) ?? Object.fromEntries(named.map((name, at) => [name, args[at]]))
      const chosen = Object.fromEntries(asked.map((name) => [name, options[name]]))
      const acted = { ...acting.context, unmasked: options.unmasked === true }
      const answer = await perform(operation, acted, { ...chosen, ...input }, flagNamed)
      context.print(answer, () => lines(answer, shownOn(context, opened.settings, options)))
      return 0
    },
  }
}

const shownOn = ({ stdout }: CommandContext, settings: Settings, options: Record<string, unknown> = {}): Shown => ({
  ...{ settings, stdout, options },
  at: (moment) => localMoment(moment, settings.timezone),
  table: (rows, columns, none = '') => (rows.length > 0 ? renderTable(rows, columns, stdout.columns) : none),
})

/** `--max-spend` */
export const flagNamed = (field: string): string =>
  `--${field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`

/** The flag of a field: `--max-spend <n>`. */
export const flagOf = (name: string, field: z.ZodType | undefined) => {
  const base = baseOf(field)
  const value = base === 'boolean' ? '' : ` <${base === 'number' ? 'n' : name}>`
  return {
    flags: `${flagNamed(name)}${value}`,
    about: field?.description ?? '',
    default: (field?.def as { defaultValue?: unknown })?.defaultValue || undefined,
    ...(base === 'array' && { parse: (text: string, before: unknown) => [before, text].filter(Boolean).join(',') }),
  }
}
