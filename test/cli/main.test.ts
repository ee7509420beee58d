import { expect, test } from 'vitest'
import type { CommandEntry } from '../../src/cli/command.ts'
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
