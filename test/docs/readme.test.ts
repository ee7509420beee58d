import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { pageOf, root } from './pages.ts'

const { text } = pageOf('README.md')

test('the README can be read in two minutes', () => {
  expect(text.split('\n').length).toBeLessThanOrEqual(150)
  expect(text.split(/\s+/).length).toBeLessThanOrEqual(900)
})

test('its first two commands work in a fresh checkout', () => {
  const commands = /```sh\n(.*?)```/s.exec(text)![1]!.trim().split('\n')
  expect(commands.map((line) => line.split('#')[0]!.trim())).toEqual(['npm ci && npm run demo', 'npm ci && npm test'])
  expect(packageJson.scripts).toMatchObject({ demo: expect.anything(), test: expect.anything() })
  expect(readFileSync(join(root, '.ci/run'), 'utf8')).toMatch(/^npm ci .*$/m)
  expect(readFileSync(join(root, 'test/check.sh'), 'utf8')).toMatch(/^part 'npm test' npm test$/m)
})

test('its picture is small, has a title, and supports dark mode', () => {
  const [, path] = /!\[[^\]]+\]\(([^)]+\.svg)\)/.exec(text)!
  const picture = readFileSync(join(root, path!), 'utf8')
  expect(picture.length).toBeLessThan(10_000)
  expect(picture).toMatch(/<title[^>]*>\S[\s\S]*prefers-color-scheme: dark/)
})
