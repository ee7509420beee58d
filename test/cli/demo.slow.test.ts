import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { sampleFile } from '../../src/cli/commands/demo.ts'

const program = resolve(import.meta.dirname, '../../src/cli/vigia.js')
const folder = mkdtempSync(join(tmpdir(), 'vigia-demo-'))
chmodSync(folder, 0o755)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const demo = () =>
  spawnSync(process.execPath, [program, 'demo', '--json'], {
    cwd: folder,
    env: { NO_COLOR: '1', DATABASE_URL: 'postgres://nowhere.invalid/x', REGISTRY_URL: 'https://real.invalid' },
    encoding: 'utf8',
  })

test('the tour works twice in a row, offline, and touches no real database or registry', () => {
  const first = demo()
  expect(first.stderr).not.toContain('error')
  expect(first.status).toBe(0)
  const [result] = JSON.parse(first.stdout).results
  expect(result).toMatchObject({ ending: 'done', unanswered: 0, repeated: false })
  expect(result.states.rejected).toBeGreaterThan(0)
  expect(readFileSync(result.files.report, 'utf8')).toContain('João')

  const second = demo()
  expect(second.status).toBe(0)
  expect(JSON.parse(second.stdout).results[0]).toMatchObject({
    batch: result.batch,
    repeated: true,
    spend: result.spend,
  })
})

test.each(['ops.md', 'pt-BR/ops.md'])('the tour in docs/%s works exactly as written', (path) => {
  const page = readFileSync(resolve(import.meta.dirname, '../../docs', path), 'utf8')
  const place = mkdtempSync(join(folder, 'tour-'))
  chmodSync(place, 0o755)
  const tour = /```sh\n(npx vigia demo[\s\S]+?)```/.exec(page)![1]!
  const script = tour.replaceAll('npx vigia', `"${process.execPath}" "${program}"`)
  const { status, stdout, stderr } = spawnSync('bash', ['-euc', script], {
    cwd: place,
    env: { NO_COLOR: '1' },
    encoding: 'utf8',
  })
  expect({ status, errors: stderr.match(/error.*/g) }).toEqual({ status: 0, errors: null })
  expect(stdout).toMatch(/^Row +line 2 of batch 1\nState +ok$/m)
  expect(stdout).toMatch(/^Open the page: VIGIA_HOME=data\/demo vigia worker prints a one-time sign-in link/m)
  expect(stderr).toContain('Starting PostgreSQL (DATABASE_URL is not set)…')
  expect(readFileSync(join(place, 'data/report/clientes.report.csv'), 'latin1')).toContain('João')
})

test('the sample holds what files hold: accents, lost zeros, repeated rows, a line break in a cell', () => {
  const text = sampleFile(120).toString('latin1')
  expect(text).toContain('Conceição ')
  expect(text).toMatch(/;\d{10};/)
  expect(text).toMatch(/"[^"]+\n\(""titular""\)"/)
  expect(sampleFile(120)).toEqual(sampleFile(120))
})
