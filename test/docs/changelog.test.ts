import { expect, test } from 'vitest'
import { readPage } from './pages.ts'

const sections = ['Added', 'Changed', 'Fixed', 'Removed', 'Security']

test('the CHANGELOG has one fact per line, sorted under the five headings, from 0.2.0 on', () => {
  const versions = readPage('CHANGELOG.md').text.split(/^## /m).slice(1)
  const sorted = versions.filter((version) => !version.startsWith('0.1.0'))
  expect(sorted.map((version) => version.split('\n')[0])).toContain('0.2.0')
  for (const version of sorted) {
    const [title, ...parts] = version.split(/^### /m)
    const names = parts.map((part) => part.split('\n')[0]!)
    expect([title!.split('\n').slice(1).join('').trim(), names]).toEqual([
      '',
      sections.filter((name) => names.includes(name)),
    ])
    for (const part of parts) {
      const lines = part
        .split('\n')
        .slice(1)
        .filter((line) => line !== '')
      expect(lines.filter((line) => !/^- [A-Z][^:]*: .+\.$/.test(line))).toEqual([])
      const subjects = lines.map((line) => line.slice(2).split(':')[0]!.toLowerCase())
      expect(subjects).toEqual([...subjects].sort())
    }
  }
})
