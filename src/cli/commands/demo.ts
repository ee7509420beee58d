import { createReadStream } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { createInterface } from 'node:readline'
import { loadSettings } from '../../../config/settings.ts'
import { openHome } from '../../home/folders.ts'
import { programName } from '../as-called.ts'
import type { CommandDefinition } from '../command.ts'
import type { CommandContext } from '../context.ts'
import { openForPeople } from '../open-for-people.ts'
import { runFiles } from '../run-files.ts'
import { exitCodeOf, renderResult } from '../run-result.ts'
import { sampleFile } from '../sample-file.ts'

/** The tour. It has a home of its own and never leaves this machine, whatever the environment says. */
export const demo: CommandDefinition = {
  examples: [{ line: 'vigia demo', about: 'A database, a registry and a sample file through to its report' }],

  async run(context) {
    const { home } = loadSettings(ownWorld(context.env))
    const file = join(home, 'clientes.csv')
    await openHome(home)
    await writeFile(file, sampleFile(120), { mode: 0o600 })
    say(context, `A sample file: ${shown(file)}\nStarting PostgreSQL and the sandbox of the registry…\n`)
    await using opened = await openForPeople({ env: ownWorld(context.env) })
    const results = await runFiles(context, opened, [file], { kind: 'analysis', yes: true })
    const [result] = results
    const lines = result?.files ? await firstLines(result.files.report, 4) : []
    context.print({ home, results }, () =>
      [
        renderResult(result!, opened.settings.timezone),
        ...excerpt(lines),
        ...farewell(home, programName(context.env)),
      ].join('\n'),
    )
    return exitCodeOf(results, context.signal)
  },
}

/** Nothing of a real installation: no database, no registry, no budget of anybody. */
const ownWorld = ({ VIGIA_HOME = './data', LOG_LEVEL }: CommandContext['env']): CommandContext['env'] => ({
  VIGIA_HOME: join(VIGIA_HOME, 'demo'),
  ...(LOG_LEVEL && { LOG_LEVEL }),
})

function say({ json, stderr }: CommandContext, text: string): void {
  if (!json) stderr.write(`${text}\n`)
}

async function firstLines(path: string, count: number): Promise<string[]> {
  const lines: string[] = []
  const input = createReadStream(path)
  for await (const line of createInterface({ input })) {
    lines.push(line.replace(/^\uFEFF/, ''))
    if (lines.length === count) break
  }
  input.destroy()
  return lines
}

/** The people of the sample are made up, so their documents may be shown. */
const excerpt = (lines: string[]): string[] => [
  '',
  'The first lines of the report, your columns and then the answer:',
  ...lines.map((line) => `  ${line.length > 110 ? `${line.slice(0, 109)}…` : line}`),
]

const farewell = (home: string, vigia: string): string[] => [
  '',
  'Run it again: every answer is there already, and nothing is bought a second time.',
  `Look around: export VIGIA_HOME=${shown(home)}, then ${vigia} batches · ${vigia} batch 1 · ${vigia} batch 1 --line 2 · ${vigia} audit`,
  `Open the page: VIGIA_HOME=${shown(home)} ${vigia} worker prints a link that signs you in, once, at http://127.0.0.1:8080`,
  `Your own file: ${vigia} plan FILE says what it would cost, ${vigia} run FILE asks and does it.`,
]

const shown = (path: string): string => {
  const near = relative(process.cwd(), path)
  return near.startsWith('..') ? path : near
}
