import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { PassThrough } from 'node:stream'
import { afterAll, expect, test, vi } from 'vitest'
import { readStatus } from '../../src/batches/batch-or-refuse.ts'
import { asCalled, type CommandContext, type CommandDefinition, type CommandEntry } from '../../src/cli/command.ts'
import { commandTable } from '../../src/cli/command-table.ts'
import { createProgress } from '../../src/cli/files/follow.ts'
import { cpfs, csvOf } from '../support/documents.ts'
import { setup } from '../support/setup.ts'
import { call } from './call.ts'
import { installHere as install } from './vigia-process.ts'

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

test('help COMMAND is the same as COMMAND --help', async () => {
  expect(await call(['help', 'doctor'])).toEqual(await call(['doctor', '--help']))
})

test('without a command it shows the help on stderr and ends with 2', async () => {
  const { exitCode, stdout, stderr } = await call([])
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
  expect(stderr).toContain('Usage: vigia COMMAND')
})

test('an unknown command suggests the right one', async () => {
  const { exitCode, stderr } = await call(['dcotor'])
  expect(exitCode).toBe(2)
  expect(stderr).toBe(
    "error: unknown command 'dcotor'\n(Did you mean doctor?)\nRun `vigia --help` to list the commands.\n",
  )
})

test('an unknown flag suggests the right one and names the help', async () => {
  const { exitCode, stderr } = await call(['doctor', '--jsno'])
  expect(exitCode).toBe(2)
  expect(stderr).toBe(
    "error: unknown option '--jsno'\n(Did you mean --json?)\nRun `vigia doctor --help` for its usage.\n",
  )
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

test('an unknown command points to --help', async () => {
  const unknown = await call(['bathces'], installed)
  expect(unknown.exitCode).toBe(2)
  expect(unknown.stderr).toContain('Run `vigia --help` to list the commands.')
  expect((await call(['radars', 'lits'], installed)).stderr).toContain('Run `vigia radars --help` for its commands.')
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

const table: CommandEntry[] = [
  {
    name: 'lane',
    summary: 'a group of commands',
    load: async () => ({ commands: [{ name: 'echo', summary: 'says it again', load: async () => echo }] }),
  },
  { name: 'never', summary: 'a command that is not called', load: () => Promise.reject(new Error('was loaded')) },
]

test('a command gets its arguments and options, and its number is the exit code', async () => {
  const { exitCode, stdout } = await call(['lane', 'echo', 'a.csv', 'b.csv', '--max-spend', '5'], {}, table)
  expect({ exitCode, stdout }).toEqual({ exitCode: 3, stdout: 'a.csv b.csv 5\n' })
})

test('--json prints one document in which no digit of a large number is lost', async () => {
  const { stdout } = await call(['lane', 'echo', 'a.csv', '--json'], {}, table)
  expect(JSON.parse(stdout)).toEqual({ args: ['a.csv'], options: {}, id: 7, cents: '1152921504606846976' })
})

test('a group lists its commands, and suggests one for a typo', async () => {
  expect((await call(['lane', '--help'], {}, table)).stdout).toMatch(/^ {2}echo .*says it again$/m)
  const { exitCode, stderr } = await call(['lane', 'eco', 'a.csv'], {}, table)
  expect(exitCode).toBe(2)
  expect(stderr).toContain('(Did you mean echo?)')
})

test('both ways of asking for help work for a command inside a group', async () => {
  const { stdout } = await call(['help', 'lane', 'echo'], {}, table)
  expect(stdout).toContain('Usage: vigia lane echo [options] <file...>')
  expect(stdout).toBe((await call(['lane', 'echo', '--help'], {}, table)).stdout)
})

test('a missing argument is named', async () => {
  const { exitCode, stderr } = await call(['lane', 'echo'], {}, table)
  expect(exitCode).toBe(2)
  expect(stderr).toBe("error: missing required argument 'file'\nRun `vigia lane echo --help` for its usage.\n")
})

test('only the file of the called command is loaded', async () => {
  expect((await call(['--help'], {}, table)).exitCode).toBe(0)
  expect((await call(['never'], {}, table)).stderr).toMatch(/^error: was loaded\n/)
})

test('on a terminal each batch has one line, drawn anew in place and no wider than the terminal', async () => {
  await using t = await setup()
  const ids = [await t.submit(csvOf(cpfs(3))), await t.submit(csvOf(cpfs(2, 100)))]
  for (const id of ids) await t.finished(id)
  const statuses = await Promise.all(ids.map((id) => readStatus(t.sql, id, new Date())))
  const stderr = Object.assign(new PassThrough(), { isTTY: true, columns: 90 })
  const progress = createProgress({ stderr } as unknown as CommandContext)

  progress.show(statuses, new Date())
  progress.show(statuses, new Date())
  progress.end()

  const drawn = String(stderr.read())
  expect(drawn.startsWith('\x1b[?25l')).toBe(true)
  expect(drawn.endsWith('\x1b[?25h')).toBe(true)
  const last = drawn.slice(drawn.lastIndexOf('\x1b[2A'))
  const lines = last.split('\n').slice(0, -1)
  expect(lines).toEqual([expect.stringContaining('3/3'), expect.stringContaining('2/2')])
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what moves the cursor takes no column.
  for (const line of lines) expect(line.replace(/[\r\x1b](\[\d*[A-Z])?/g, '').length).toBeLessThan(90)
})

vi.setConfig({ testTimeout: 120_000 })

test('with a unit price the list, a batch and the usage show money beside units', async () => {
  await using t = await install({ budget: { unitPrice: { amount: '1.90', currency: 'BRL' } } })
  const file = await t.write('clientes.csv', csvOf(cpfs(4)))
  expect((await t.vigia('run', file, '--yes')).exitCode).toBe(0)

  expect((await t.vigia('batches')).stdout).toMatch(/clientes.* 4 \(R\$7\.60\)/)
  expect((await t.vigia('batch', '1')).stdout).toMatch(/^Charged +4 \(R\$7\.60\)/m)
  expect((await t.vigia('usage')).stdout).toContain('R$7.60')
})
