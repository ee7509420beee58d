import { expect, test, vi } from 'vitest'
import { cpfs, csvOf } from '../support/documents.ts'
import { installHere as install } from './vigia-process.ts'

vi.setConfig({ testTimeout: 120_000 })

test('with a unit price the list, a batch and the usage show money beside units', async () => {
  await using t = await install({ budget: { unitPrice: { amount: '1.90', currency: 'BRL' } } })
  const file = await t.write('clientes.csv', csvOf(cpfs(4)))
  expect((await t.vigia('run', file, '--yes')).exitCode).toBe(0)

  expect((await t.vigia('batches')).stdout).toMatch(/clientes.* 4 \(R\$7\.60\)/)
  expect((await t.vigia('batch', '1')).stdout).toMatch(/^Charged +4 \(R\$7\.60\)/m)
  expect((await t.vigia('usage')).stdout).toContain('R$7.60')
})
