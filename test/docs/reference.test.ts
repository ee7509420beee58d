import { expect, test } from 'vitest'
import defaults from '../../config/default.json' with { type: 'json' }
import { variableNames } from '../../config/environment-reader.ts'
import { currentPage, references } from '../../ops/write-reference.ts'
import { commandTable } from '../../src/cli/command-table.ts'
import { call } from '../cli/call.ts'
import { pageOf } from './pages.ts'

test.each(references)('$file is current (node ops/write-reference.ts)', async (reference) => {
  expect(pageOf(reference.file).text).toBe(await currentPage(reference))
})

test('docs/commands.md says what --help says: every command, its options and the exit codes', async () => {
  const { text } = pageOf('docs/commands.md')
  const plain = text.replaceAll('`', '')
  const { stdout } = await call(['--help'])
  const codes = [...stdout.matchAll(/^ {2}([\d, ]+?) {2}(.+)$/gm)].map(([, code, says]) => `| ${code} | ${says}`)
  expect(codes).toHaveLength(5)
  expect(codes.filter((line) => !text.includes(line))).toEqual([])
  for (const { name } of commandTable) {
    const { stdout: help } = await call([name, '--help'])
    const options = [...help.matchAll(/^ {2}(--(?!json)[a-z-]+(?: <[^>]+>)?) /gm)].map(([, flags]) => flags!)
    const section = plain.split(`\n## ${name}\n`)[1]?.split('\n## ')[0] ?? ''
    expect({ name, missing: options.filter((flags) => !section.includes(`| ${flags} |`)) }).toEqual({
      name,
      missing: [],
    })
    expect(section, name).toContain(`$ vigia ${name}`.slice(2))
  }
})

test('docs/settings.md names every key of the defaults and every variable, and no other', () => {
  const { text } = pageOf('docs/settings.md')
  const listed = [...text.matchAll(/^\| `([\w.]+)` \|/gm)].map(([, name]) => name!)
  const variables = [...variableNames.plain, ...variableNames.secret]
  const keys = Object.entries(defaults).flatMap(([section, value]) => keysOf(section, value))
  const sections = listed.filter((name) => name in defaults && !keys.includes(name))
  expect(listed.filter((name) => !sections.includes(name)).sort()).toEqual([...variables, ...keys].sort())
  expect(
    variableNames.secret.filter((name) => !text.includes(`\`${name}\``) && !text.includes(`${name}_FILE`)),
  ).toEqual([])
})

const keysOf = (section: string, value: unknown): string[] =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.keys(value).map((key) => `${section}.${key}`)
    : [section]
