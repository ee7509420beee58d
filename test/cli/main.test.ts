import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { asCalled, type CommandDefinition, type CommandEntry } from '../../src/cli/command.ts'
import { commandTable } from '../../src/cli/command-table.ts'
import { call } from './call.ts'

test('--help lists every command and the exit codes', async () => {
  const { exitCode, stdout, stderr } = await call(['--help'])
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
  for (const { name, summary } of commandTable) expect(stdout).toMatch(new RegExp(`^  ${name} +${summary}`, 'm'))
  expect(stdout).toContain('3  finished, but some rows did not get an answer')
})

const everyCommand = (await Promise.all(commandTable.map((entry) => namesOf(entry)))).flat()

test.each(everyCommand)('%s --help shows an example and --json', async (name) => {
  const { exitCode, stdout } = await call([...name.split(' '), '--help'])
  expect(exitCode).toBe(0)
  expect(stdout).toMatch(new RegExp(`\\$ (\\S+=\\S+ )*vigia ${name}`))
  expect(stdout).toContain('--json')
})

test('without a command it shows the help on stderr and ends with 2', async () => {
  const { exitCode, stdout, stderr } = await call([])
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
  expect(stderr).toContain('Usage: vigia COMMAND')
})

test.each([
  [['dcotor'], "error: unknown command 'dcotor'\n(Did you mean doctor?)\nRun `vigia --help` to list the commands.\n"],
  [
    ['radars', 'lits'],
    "error: unknown command 'lits'\n(Did you mean list?)\nRun `vigia radars --help` for its commands.\n",
  ],
  [
    ['doctor', '--jsno'],
    "error: unknown option '--jsno'\n(Did you mean --json?)\nRun `vigia doctor --help` for its usage.\n",
  ],
  [
    ['portfolio', 'remove'],
    "error: missing required argument 'name'\nRun `vigia portfolio remove --help` for its usage.\n",
  ],
])('%j is refused with what was meant and where to look', async (args, message) => {
  expect(await call(args)).toEqual({ exitCode: 2, stdout: '', stderr: message })
})

test('a mistake under --json is one JSON document on stdout', async () => {
  const { exitCode, stdout } = await call(['doctor', 'what', '--json'])
  expect(exitCode).toBe(2)
  expect(JSON.parse(stdout).error).toMatchObject({
    exitCode: 2,
    message: expect.stringContaining('too many arguments'),
  })
})

test('a document given by mistake is not repeated', async () => {
  const { stderr } = await call(['123.456.789-09'])
  expect(stderr).toContain('unknown command')
  expect(stderr).not.toContain('123.456.789-09')
})

test('wrong settings exit with 2 and list all of them, without a stack', async () => {
  const { exitCode, stderr } = await call(['migrate'], { PORT: 'many', LOG_LEVEL: 'loud' })
  expect(exitCode).toBe(2)
  expect(stderr).toBe(`error: 2 settings are wrong:
  PORT       expected a whole number, from 0 to 65535, got "many"
  LOG_LEVEL  expected one of trace, debug, info, warn, error, fatal, silent, got "loud"
`)
})

test('--version prints the version', async () => {
  expect((await call(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
})

/** A group is named with each of its commands. */
async function namesOf({ name, load }: CommandEntry): Promise<string[]> {
  const loaded = await load()
  if (!('commands' in loaded)) return [name]
  return (await Promise.all(loaded.commands.map(namesOf))).flat().map((inner) => `${name} ${inner}`)
}

const folder = mkdtempSync(join(tmpdir(), 'vigia-path-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
writeFileSync(join(folder, 'vigia'), '')

const checkout = { PATH: ['/nowhere', `${folder}/node_modules/.bin`].join(delimiter) }
const installed = { PATH: ['/nowhere', folder].join(delimiter) }

test('hints name the program as the reader can call it', async () => {
  expect((await call(['batch', 'x'], checkout)).stderr).toContain('`npx vigia batches` lists them')
  expect((await call(['batch', 'x'], installed)).stderr).toContain('`vigia batches` lists them')
  expect((await call(['batch', 'x'])).stderr).toContain('`vigia batches` lists them')
  expect((await call(['plan', '--help'], checkout)).stdout).toContain('$ npx vigia plan clientes.csv')
})

test('only commands are renamed, not the name of the product', () => {
  const text = "Vigia and vigia stay; `vigia run a` and 'vigia batches' and $ X=1 vigia worker do not"
  expect(asCalled(text, checkout)).toBe(
    "Vigia and vigia stay; `npx vigia run a` and 'npx vigia batches' and $ X=1 npx vigia worker do not",
  )
})

const echo: CommandDefinition = {
  arguments: [{ name: '<file...>', about: 'files' }],
  options: [{ flags: '--max-spend <n>', about: 'a bound', parse: Number }],
  examples: { 'vigia lane echo a.csv': 'Says it again' },
  async run(context, args, options) {
    context.print({ args, options, id: 7n, cents: 2n ** 60n }, () => `${args.join(' ')} ${options.maxSpend}`)
    return 3
  },
}

const failure = new Error('cannot load 529.982.247-25', { cause: new Error('52998224725 is gone') })

const table: CommandEntry[] = [
  {
    name: 'lane',
    summary: 'a group of commands',
    load: async () => ({ commands: [{ name: 'echo', summary: 'says it again', load: async () => echo }] }),
  },
  { name: 'never', summary: 'a command that is not called', load: () => Promise.reject(failure) },
]

test('a command gets its arguments and options, and its number is the exit code', async () => {
  const { exitCode, stdout } = await call(['lane', 'echo', 'a.csv', 'b.csv', '--max-spend', '5'], {}, table)
  expect({ exitCode, stdout }).toEqual({ exitCode: 3, stdout: 'a.csv b.csv 5\n' })
})

test('--json prints one document in which no digit of a large number is lost', async () => {
  const { stdout } = await call(['lane', 'echo', 'a.csv', '--json'], {}, table)
  expect(JSON.parse(stdout)).toEqual({ args: ['a.csv'], options: {}, id: 7, cents: '1152921504606846976' })
})

test('a group lists its commands, and `help` before a command is the same as --help after it', async () => {
  expect((await call(['lane', '--help'], {}, table)).stdout).toMatch(/^ {2}echo .*says it again$/m)
  const help = await call(['help', 'lane', 'echo'], {}, table)
  expect(help.stdout).toContain('Usage: vigia lane echo [options] <file...>')
  expect(help).toEqual(await call(['lane', 'echo', '--help'], {}, table))
})

test('only the file of the called command is loaded, and an unexpected error says where to find its details', async () => {
  expect((await call(['--help'], {}, table)).exitCode).toBe(0)
  const { exitCode, stderr } = await call(['never'], {}, table)
  expect(exitCode).toBe(1)
  expect(stderr).toMatch(/^error: cannot load \*{3}\.982\.247-\*\*\n.*LOG_LEVEL=debug.*\n$/)

  const details = (await call(['never'], { LOG_LEVEL: 'debug' }, table)).stderr
  expect(details).toContain('main.test.ts')
  expect(details).toContain('caused by Error:')
  expect(details).not.toMatch(/529\.?982\.?247-?25/)
})
