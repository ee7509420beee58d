import { expect, test } from 'vitest'
import type { CommandDefinition, CommandEntry } from '../../src/cli/command.ts'
import { call } from './call.ts'

const echo: CommandDefinition = {
  arguments: [{ name: '<file...>', about: 'files' }],
  options: [{ flags: '--max-spend <n>', about: 'a bound', parse: Number }],
  examples: [{ line: 'vigia lane echo a.csv', about: 'Says it again' }],
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
