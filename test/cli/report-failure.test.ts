import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { UsageError } from '../../src/cli/command.ts'
import { reportFailure } from '../../src/cli/report-failure.ts'
import { MigrateRefusal } from '../../src/store/migrate.ts'

test('wrong usage is one line and its own exit code', async () => {
  expect(await reported(new UsageError('--port takes a whole number'))).toEqual({
    exitCode: 2,
    stderr: 'error: --port takes a whole number\n',
  })
})

test('an expected failure is one line and 1', async () => {
  expect(await reported(new MigrateRefusal('The schema is newer.'))).toEqual({
    exitCode: 1,
    stderr: 'error: The schema is newer.\n',
  })
})

test('an unexpected error says where to find the details', async () => {
  const { exitCode, stderr } = await reported(new TypeError('x is not a function'))
  expect(exitCode).toBe(1)
  expect(stderr).toMatch(/^error: x is not a function\n.*LOG_LEVEL=debug.*\n$/)
})

test('LOG_LEVEL=debug shows the stack and the causes, documents masked', async () => {
  const error = new Error('cannot read 529.982.247-25', { cause: new Error('52998224725 is gone') })
  const { stderr } = await reported(error, { LOG_LEVEL: 'debug' })
  expect(stderr).toContain('report-failure.test.ts')
  expect(stderr).toContain('caused by Error:')
  expect(stderr).not.toMatch(/529\.?982\.?247-?25/)
})

const reported = async (error: unknown, env: Record<string, string> = {}) => {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()]
  const outside = { env, stdout, stderr, signal: new AbortController().signal }
  const exitCode = await reportFailure(error, { outside, complaints: [], json: false })
  stderr.end()
  return { exitCode, stderr: await text(stderr) }
}
