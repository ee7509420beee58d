import { expect, test } from 'vitest'
import { cpf } from '../support/documents.ts'
import { installHere as install } from './vigia-process.ts'

test('lookup quotes one document, needs approval, and shows the answer', async () => {
  await using t = await install()
  const unasked = await t.vigia('lookup', cpf(1))
  expect(unasked.exitCode).toBe(2)
  expect(unasked.stdout).toContain('To approve it: `vigia lookup - --yes`')
  expect(t.sandbox.charges()).toBe(0)

  const { exitCode, stdout, stderr } = await t.vigia('lookup', cpf(1), '--yes')
  expect(stderr).toMatch(/To be paid +1\n/)
  expect(stdout).toMatch(/^State +ok$/m)
  expect(stdout).toContain('Answer of the registry')
  expect(stdout).not.toContain(cpf(1))
  expect(exitCode).toBe(0)

  const again = await t.json('lookup', cpf(1))
  expect(again).toMatchObject({ exitCode: 0, result: { batch: 1, repeated: true }, row: { state: 'ok' } })
  expect(t.sandbox.charges()).toBe(1)
})
