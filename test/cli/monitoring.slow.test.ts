import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { formatDocument, maskDocument } from '../../src/domain/document.ts'
import { cpf, cpfs } from '../support/documents.ts'
import { environmentOf, setup } from '../support/setup.ts'
import { call } from './call.ts'

test('a person runs a sweep, reads the changes and the coverage, and erases somebody', async () => {
  await using t = await setup()
  const env = { ...environmentOf(t.sandbox, t.databaseUrl, t.home), LOG_LEVEL: 'silent' }
  for (const code of cpfs(3)) t.sandbox.plantRadar({ code, name: 'Fulano' })
  t.sandbox.plantChange(cpf(1), { processes: 2 })

  const preview = await call(['sweep', 'radars', '--dry-run', '--json'], env)
  expect(JSON.parse(preview.stdout)).toMatchObject({
    organizations: [{ listed: 3, known: 0, toLookAt: 3, analysesToBuy: 3, suspicion: null }],
  })
  expect(t.sandbox.charges()).toBe(0)

  const baseline = await call(['radars', 'sync', '--yes'], env)
  expect(baseline).toMatchObject({ exitCode: 0, stdout: '3 of 3 verified, 0 changed; bought 3 analyses\n' })
  t.sandbox.plantChange(cpf(1), { processes: 6 })
  expect(await call(['sweep', 'radars'], env)).toMatchObject({
    exitCode: 0,
    stdout: '3 of 3 verified, 1 changed; bought 0 analyses\n',
  })

  for (const args of [
    ['radars', 'list'],
    ['radars', 'list', '--json'],
    ['radars', 'changes'],
  ]) {
    const { stdout } = await call(args, env)
    expect(stdout).toContain(maskDocument(cpf(1)))
    expect(stdout).not.toMatch(new RegExp(`${cpf(1)}|${formatDocument(cpf(1))}`))
  }
  expect((await call(['radars', 'list', '--unmasked'], env)).stdout).toContain(formatDocument(cpf(2)))
  expect((await call(['radars', 'changes'], env)).stdout).toMatch(/Fulano +processes +worse +2 +6/)
  const csv = await call(['radars', 'changes', '--since', '1d', '--csv'], env)
  expect(csv.stdout).toContain(`;${formatDocument(cpf(1))};Fulano;processes;worse;2;6;`)
  const report = join(t.home, 'answer.txt')
  expect(await call(['person', cpf(1), '--out', report, '--language', 'en'], env)).toMatchObject({ exitCode: 0 })
  const shown = await readFile(report, 'utf8')
  expect(shown).toMatch(/Lawsuits: 2\n.*Lawsuits: 6\n/)
  expect(shown).toMatch(/: downloaded$/m)
  expect(shown).toMatch(/Lawsuits: 2 → 6 \(worse\)/)
  expect(shown).not.toContain(t.home)
  expect(shown).not.toMatch(/\w+\.[a-z]+_[a-z_]+|processes: /)
  expect(await call(['radars', 'acknowledge', '1'], env)).toMatchObject({ exitCode: 2 })
  expect((await call(['sweeps'], env)).stdout).toContain('3 of 3 verified, 1 changed')
  expect((await call(['usage'], env)).stdout).toMatch(/7001 +3 +3 +0/)
  t.sandbox.alreadyGenerated(cpf(50))
  const used = await call(['usage'], env)
  expect(used.stdout).toContain(`${maskDocument(cpf(50))}  bought outside Vigia`)
  expect(used.stdout + (await call(['usage', '--json'], env)).stdout).not.toMatch(
    new RegExp(`${cpf(50)}|${formatDocument(cpf(50))}`),
  )
  expect((await call(['usage', '--unmasked'], env)).stdout).toContain(formatDocument(cpf(50)))

  const erased = await call(['purge', '--document', formatDocument(cpf(1)), '--yes'], env)
  expect(erased.exitCode).toBe(0)
  expect(erased.stdout).toContain('radar list of 7001 had this document')
  expect((await call(['radars', 'changes', '--json'], env)).stdout).not.toContain(cpf(1))
  expect(await call(['purge'], env)).toMatchObject({ exitCode: 0, stdout: 'nothing to do\n' })
})

test('a wrong name or duration is wrong usage', async () => {
  expect(await call(['sweep', 'moon'])).toMatchObject({ exitCode: 2 })
  expect(await call(['radars', 'changes', '--since', 'yesterday'])).toMatchObject({ exitCode: 2 })
  expect((await call(['purge', '--document', '123.456.789-00'])).stderr).not.toContain('123.456')
})
