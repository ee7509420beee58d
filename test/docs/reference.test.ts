import { expect, test } from 'vitest'
import defaults from '../../config/default.json' with { type: 'json' }
import { variableNames } from '../../config/environment-reader.ts'
import { currentPage, references } from '../../ops/write-reference.ts'
import packageJson from '../../package.json' with { type: 'json' }
import { resultHeaders } from '../../src/batches/csv-results.ts'
import { commandTable } from '../../src/cli/command-table.ts'
import { kinds } from '../../src/domain/kind.ts'
import { terms } from '../../src/messages/terms.ts'

import { lines as benchLines } from '../bench/lines.ts'
import { scenarios } from '../chaos/scenarios/index.ts'
import { call } from '../cli/call.ts'
import { codeOf, pageOf, pages } from './pages.ts'

test.each(references)('$file is current (node ops/write-reference.ts)', async (reference) => {
  expect(pageOf(reference.file).text).toBe(await currentPage(reference))
})

test('docs/commands.md has the exit codes that --help has', async () => {
  const { stdout } = await call(['--help'])
  const codes = [...stdout.matchAll(/^ {2}([\d, ]+?) {2}(.+)$/gm)].map(([, code, says]) => `| ${code} | ${says}`)
  expect(codes).toHaveLength(5)
  const page = pageOf('docs/commands.md').text.replaceAll('`', '')
  expect(codes.filter((line) => !page.includes(line))).toEqual([])
})

test('docs/settings.md names every variable, and no other', () => {
  const { text } = pageOf('docs/settings.md')
  const listed = [...text.matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, name]) => name!)
  expect(listed.sort()).toEqual([...variableNames.plain, ...variableNames.secret].sort())
})

const keysOf = (section: string, value: unknown): string[] =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.keys(value).map((key) => `${section}.${key}`)
    : [section]

test('the terms that reports and rejects use are explained', () => {
  const missing = (path: string, terms: readonly string[]) => {
    const shown = codeOf(pageOf(path)).flatMap((code) => code.split(/[\s,]+/))
    return terms.filter((each) => !shown.includes(each))
  }
  const { outcomes, repairs, rejectReasons, problems, causes } = terms.en
  const { rejected, pending, ...states } = outcomes
  const columns = kinds
    .flatMap((kind) => resultHeaders(kind))
    .map((name) => name.replace(/^[A-Z_]+_(count|value)$/, '<KEY>_$1'))
  expect(missing('docs/lookups.md', [...kinds, ...Object.keys(states)])).toEqual([])
  for (const folder of ['docs', 'docs/pt-BR']) {
    expect(missing(`${folder}/files.md`, Object.keys({ ...repairs, ...rejectReasons, ...problems }))).toEqual([])
    expect(missing(`${folder}/on-call.md`, Object.keys(causes))).toEqual([])
    expect(missing(`${folder}/analyst.md`, columns)).toEqual([])
  }
})

test('every command, script, scenario and setting that a page names exists', () => {
  const code = pages.flatMap((page) => codeOf(page).map((text) => ({ text, path: page.path })))
  const unknown = (pattern: RegExp, known: readonly string[]) =>
    code.flatMap(({ text, path }) =>
      [...text.matchAll(pattern)].filter(([, name]) => !known.includes(name!)).map(([found]) => `${path}: ${found}`),
    )
  const sections = Object.keys(defaults).join('|')
  const keys = Object.entries(defaults).flatMap(([section, value]) => keysOf(section, value))
  const runs = [...scenarios, ...benchLines].map(({ name }) => name)
  const commands = commandTable.map(({ name }) => name)
  expect(unknown(/(?:^|npx |\n)vigia ([a-z]+)/g, commands)).toEqual([])
  expect(unknown(/npm run ([a-z:]+)/g, Object.keys(packageJson.scripts))).toEqual([])
  expect(unknown(/--only ([a-z-]+)/g, runs)).toEqual([])
  expect(unknown(new RegExp(`^((?:${sections})\\.\\w+)$`, 'g'), keys)).toEqual([])
})
