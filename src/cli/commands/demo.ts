import { readFile, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { loadSettings } from '../../../config/settings.ts'
import { formatDocument, readDocument } from '../../domain/document.ts'
import { encodeInto } from '../../files/csv/encoding.ts'
import { openHome } from '../../home/folders.ts'
import { type CommandContext, type CommandDefinition, programName } from '../command.ts'
import { runFiles } from '../files/run-files.ts'
import { exitCodeOf, renderResult } from '../files/run-result.ts'
import { openForPeople } from '../open.ts'

/** The tour. It has its own home and never leaves this machine, whatever the environment sets. */
export const demo: CommandDefinition = {
  examples: { 'vigia demo': 'Start a database and a registry, and process a sample file to its report' },

  async run(context) {
    const { home } = loadSettings(ownWorld(context.env))
    const file = join(home, 'clientes.csv')
    await openHome(home)
    await writeFile(file, sampleFile(120), { mode: 0o600 })
    printNote(context, `A sample file: ${shown(file)}`)
    await using opened = await openForPeople({ ...context, env: ownWorld(context.env) })
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

/** Its folder in the home of everything else. */
export const demoHome = 'demo'

/** The environment without a real installation: no database, registry or budget. */
const ownWorld = ({ VIGIA_HOME = './data', LOG_LEVEL }: CommandContext['env']): CommandContext['env'] => ({
  VIGIA_HOME: join(VIGIA_HOME, demoHome),
  ...(LOG_LEVEL && { LOG_LEVEL }),
})

const printNote = ({ json, stderr }: CommandContext, text: string): void => {
  if (!json) stderr.write(`${text}\n`)
}

const firstLines = async (path: string, count: number): Promise<string[]> =>
  (await readFile(path, 'utf8')).replace(/^\uFEFF/, '').split(/\r?\n/, count)

/** The people of the sample are invented, so their documents may be shown. */
const excerpt = (lines: string[]): string[] => [
  '',
  'The first lines of the report, the original columns and then the answer:',
  ...lines.map((line) => `  ${line.length > 110 ? `${line.slice(0, 109)}…` : line}`),
]

const farewell = (home: string, vigia: string): string[] => [
  '',
  'Run it again: every answer is stored, and nothing is bought twice.',
  `Look around: export VIGIA_HOME=${shown(home)}, then ${vigia} batches · ${vigia} batch 1 · ${vigia} batch 1 --line 2 · ${vigia} audit`,
  `Open the page: VIGIA_HOME=${shown(home)} ${vigia} worker prints a one-time sign-in link for http://127.0.0.1:8080`,
  `Your own file: ${vigia} plan FILE shows the cost, ${vigia} run FILE asks for approval and processes it.`,
]

const shown = (path: string): string => {
  const near = relative(process.cwd(), path)
  return near.startsWith('..') ? path : near
}

/**
 * A file as a Brazilian spreadsheet writes it: semicolons, Windows-1252, accents, amounts with a comma.
 *
 * It has the problems of such files: masks, lost zeros, repeated rows, a cell with a line break, and rows without a valid
 * document. It is the same file every time, so a second run finds its answers stored.
 */
export const sampleFile = (people: number): Buffer => {
  const rows = Array.from({ length: people }, (_, n) => [String(n + 1), nameOf(n), writtenAs(n), amountOf(n)])
  const repeated = rows.slice(0, 5).map(([, ...cells], n) => [String(people + n + 1), ...cells])
  const invalid = unreadable.map(([name, document], n) => [String(people + 6 + n), name, document, '0,00'])
  const lines = [['ref', 'nome', 'cpf_cnpj', 'limite'], ...rows, ...repeated, ...invalid]
  return encodeInto('windows-1252').encode(lines.map((cells) => `${cells.join(';')}\r\n`).join(''))
}

const first = ['João', 'Conceição', 'Márcia', 'Antônio', 'Inês', 'Luís', 'Helena', 'Tomás']
const last = ['Araújo', 'Brandão', 'da Silva', 'Gonçalves', 'Simões', 'Peçanha', 'Vilaça']

const unreadable: [string, string][] = [
  ['Digitado errado', '123.456.789-00'],
  ['Repetido', '111.111.111-11'],
  ['Planilha arredondou', '1,23457E+13'],
  ['Em branco', ''],
]

const nameOf = (n: number): string => {
  const name = `${first[n % first.length]} ${last[n % last.length]}`
  return n % 40 === 7 ? `"${name}\n(""titular"")"` : name
}

/** Every tenth is a company; some documents have a mask, and some lost their zeros in a spreadsheet. */
const writtenAs = (n: number): string => {
  if (n % 10 === 9) return formatDocument(completed(`${String(11_222_000 + n).padStart(8, '0')}0001`, 'CNPJ'))
  const cpf = completed(String(n % 4 === 1 ? 10_000_000 + n * 7 : 300_000_000 + n * 7).padStart(9, '0'), 'CPF')
  if (n % 4 === 1) return cpf.replace(/^0+/, '')
  return n % 4 === 2 ? cpf : formatDocument(cpf)
}

const amountOf = (n: number): string => `${(n * 1_337) % 90}.${String((n * 71) % 1_000).padStart(3, '0')},50`

/** Adds the check digits to a number. */
const completed = (base: string, type: 'CPF' | 'CNPJ'): string => {
  for (let digits = 0; digits < 100; digits++) {
    const number = `${base}${String(digits).padStart(2, '0')}`
    if ('document' in readDocument(number, type)) return number
  }
  throw new Error(`no check digits fit ${base.length} digits`)
}
