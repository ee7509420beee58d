import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import defaults from '../config/default.json' with { type: 'json' }
import { renderSchema } from '../config/schema.ts'
import type { CommandDefinition, CommandEntry } from '../src/cli/command.ts'
import { commandTable } from '../src/cli/command-table.ts'
import { isKind } from '../src/domain/kind.ts'

/**
 * Writes the parts of `docs/` that come from the code: commands with their options, and settings with their defaults.
 * They stand between two comments; the text around them is written by people.
 */
const root = resolve(import.meta.dirname, '..')

export const references: { file: string; render(): string | Promise<string> }[] = [
  { file: 'docs/commands.md', render: () => renderCommands(commandTable) },
  { file: 'docs/settings.md', render: () => renderSettings(renderSchema() as Section, defaults) },
]

/** The text of a page as it should be; the part between the comments is replaced. */
export const currentPage = async ({ file, render }: (typeof references)[number]): Promise<string> => {
  const [before, rest] = readFileSync(join(root, file), 'utf8').split(begins)
  const after = rest?.split(ends)[1]
  if (before === undefined || after === undefined) throw new Error(`${file} has no place between ${begins} and ${ends}`)
  return `${before}${begins}\n\n${await render()}\n\n${ends}${after}`
}

const begins = '<!-- written by: node ops/write-reference.ts -->'
const ends = '<!-- end of what is written -->'

const renderCommands = async (table: readonly CommandEntry[]): Promise<string> => {
  const index = table.map(({ name, summary }) => [`[\`${name}\`](#${name})`, summary])
  const sections: string[] = []
  for (const entry of table) sections.push(await renderCommand(entry))
  return [tableOf(['command', 'what it does'], index), ...sections].join('\n\n')
}

const renderCommand = async ({ name, summary, load }: CommandEntry, above = ''): Promise<string> => {
  const heading = `${above}${name}`
  const loaded = await load()
  const title = `${above ? '###' : '##'} \`${heading}\`\n\n${sentence(summary)}`
  if (!('commands' in loaded)) return [title, ...renderDefinition(heading, loaded)].join('\n\n')
  const inner = loaded.alone ? renderDefinition(heading, loaded.alone) : []
  for (const entry of loaded.commands) inner.push(await renderCommand(entry, `${heading} `))
  return [title, ...inner].join('\n\n')
}

const renderDefinition = (heading: string, { arguments: taken = [], options = [], examples }: CommandDefinition) => {
  const rows = [
    ...taken.map(({ name, about }) => [`\`${name}\``, about]),
    ...options.map(({ flags, about, default: value }) => [`\`${flags}\``, `${about}${defaultOf(value)}`]),
  ]
  const lines = Object.entries(examples).map(([line, about]) => `# ${about}\n${line}`)
  const shown = `\`\`\`sh\n${lines.join('\n')}\n\`\`\``
  return rows.length > 0 ? [tableOf([`\`${heading}\` takes`, ''], rows), shown] : [shown]
}

const defaultOf = (value: unknown): string => (value === undefined ? '' : ` (default: \`${value}\`)`)

type Section = { description?: string; type?: string; properties?: Record<string, Section> }

/** One line per key. A section has a line of its own if there is something to say about all of it. */
const renderSettings = ({ properties = {} }: Section, values: Record<string, unknown>): string => {
  const rows = Object.entries(values).flatMap(([key, value]) => {
    const section = properties[key]!
    if (typeof value !== 'object' || Array.isArray(value)) return [lineOf(key, section, value)]
    const inner = Object.entries(value!).map(([name, each]) =>
      lineOf(`${key}.${name}`, section.properties![name]!, each),
    )
    const about = aboutSection(section)
    return about ? [[`\`${key}\``, '', about], ...inner] : inner
  })
  return tableOf(['key', 'default', 'what it sets'], rows)
}

const lineOf = (key: string, { description = '' }: Section, value: unknown): string[] => [
  `\`${key}\``,
  `\`${JSON.stringify(value)}\``,
  description,
]

const aboutSection = ({ description, properties = {} }: Section): string => {
  const kinds = Object.entries(properties).filter(([name, { type }]) => isKind(name) && type === 'object')
  const forOne = kinds.length > 0 ? 'each of these may be set for one kind alone, under its name' : undefined
  return [description, forOne].filter(Boolean).join('; ')
}

const tableOf = (head: string[], rows: string[][]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.map(cellOf).join(' | ')} |`).join('\n')

const cellOf = (text: string): string => text.replaceAll('|', '\\|')

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`

if (import.meta.main) {
  for (const reference of references) writeFileSync(join(root, reference.file), await currentPage(reference))
}
