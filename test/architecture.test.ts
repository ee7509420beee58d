import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { enMessages } from '../src/messages/en/messages.ts'
import { values } from '../src/messages/values.ts'

const root = resolve(import.meta.dirname, '..')

/** What nearly every folder imports. */
const rules = ['src/domain', 'src/messages']

/** Who may import whom. Nothing points back up; only the composition roots see everything. */
const mayImport: Record<string, readonly string[] | 'everything'> = {
  'src/worker.ts': 'everything',
  'src/cli': 'everything',
  'src/web/server.ts': 'everything',
  'src/web/start-web.ts': 'everything',
  'src/installation.ts': 'everything',
  'src/web/pages': [
    ...['src/web', 'src/web/site', 'src/web/parts', 'src/web/access', 'src/writing', 'src/operations'],
    ...[
      'src/portfolios',
      'src/monitoring',
      'src/batches',
      'src/views',
      'src/queue',
      'src/store',
      'src/files',
      ...rules,
    ],
  ],
  'src/web/api': [
    ...['src/web', 'src/web/site', 'src/web/access', 'src/operations'],
    ...['src/batches', 'src/views', 'src/store', ...rules],
  ],
  'src/web/parts': ['src/web', 'src/web/site', 'src/writing', 'src/views', ...rules],
  'src/web': [
    ...['src/web/site', 'src/web/access', 'src/writing'],
    ...['src/operations', 'src/views', 'src/store', 'src/messages'],
  ],
  'src/web/access': ['src/web/site', 'src/operations', 'src/store'],
  'src/web/site': ['config', 'src/operations', 'src/monitoring', 'src/batches', 'src/store', 'src/domain'],
  'src/operations': [
    ...['config', 'src/portfolios', 'src/monitoring', 'src/batches', 'src/views', 'src/store'],
    ...['src/files', ...rules],
  ],
  jobs: [
    ...['config', 'src/notify', 'src/engine', 'src/purchases', 'src/registry', 'src/portfolios', 'src/monitoring'],
    ...['src/batches', 'src/queue', 'src/store', 'src/files', ...rules, 'src/home'],
  ],
  'src/portfolios': ['src/monitoring', 'src/batches', 'src/queue', 'src/store', 'src/files', ...rules],
  'src/notify': ['src/writing', ...rules],
  'src/writing': [...rules],
  'src/monitoring': ['config', 'src/batches', 'src/views', 'src/queue', 'src/store', 'src/files', ...rules, 'src/home'],
  'src/batches': ['config', 'src/views', 'src/queue', 'src/store', 'src/files', ...rules, 'src/home'],
  'src/views': ['config', 'src/store', 'src/log', ...rules],
  'src/engine': ['src/purchases', 'src/queue', 'src/registry', 'src/store', ...rules],
  'src/queue': ['src/store'],
  'src/purchases': ['src/store', ...rules, 'src/home'],
  'src/schedule': ['src/store', 'src/domain'],
  'src/registry': [...rules],
  'src/store': [...rules, 'src/home'],
  'src/files': [...rules],
  'src/sandbox': ['src/domain', 'src/home'],
  'src/home': [],
  'src/log': ['src/domain'],
  'src/watchdog': ['src/log'],
  'src/domain': ['src/messages'],
  'src/messages': [],
  config: [...rules],
}

/** What only one place may know, and the files elsewhere that must. */
const secrets: { pattern: RegExp; home: string; what: string; alsoIn?: string[] }[] = [
  { pattern: /from 'pg-boss'/, home: 'src/queue', what: 'pg-boss' },
  { pattern: /\bpgboss\b/, home: 'src/queue', what: "pg-boss's tables" },
  { pattern: /from 'node-cron'/, home: 'src/schedule', what: 'node-cron' },
  { pattern: /from 'nodemailer'/, home: 'src/notify', what: 'nodemailer' },
  { pattern: /from 'undici'/, home: 'src/registry', what: 'undici' },
  {
    pattern: /\bsql(<[^`]*>)?`|\btx(<[^`]*>)?`/,
    home: 'src/store',
    what: 'a line of SQL',
    alsoIn: ['src/queue/boss-tables.ts', ...sources('src/views')],
  },
  { pattern: /\.unsafe\(/, home: 'src/store', what: 'SQL as plain text', alsoIn: ['src/queue/boss.ts'] },
  { pattern: /vltotalProcess|sucess\b|daypausemonitor|userPlanConsume/, home: 'src/registry', what: 'a wire name' },
]

/** Names that are declared in two folders for one thing, and why. */
const sharedNames = new Map([
  ['exportBatch', 'the job, and what it calls'],
  ['purgeExpired', 'the job, and what it calls'],
  ['syncUsage', 'the job, and what it calls'],
  ['activities', 'an operation as it is asked, and as the sandbox answers it'],
  ['read', 'a task of the thread that reads files, which calls every task so'],
  ['scr', 'an operation as it is asked, and as the sandbox answers it'],
])

const texts = new Map<string, string>()
const imports = new Map<string, string[]>()
const files = ['src', 'jobs', 'config'].flatMap((folder) => sources(folder))
const known = new Set(files)

test('every import points down the table of who may import whom', () => {
  const wrong = files.flatMap((file) => {
    const home = homeOf(file)
    const allowed = home && mayImport[home]
    if (!allowed) return [`${file} has no place in the table`]
    if (allowed === 'everything') return []
    return importsOf(file)
      .map((target) => homeOf(target) ?? target)
      .filter((target) => target !== home && !allowed.includes(target))
      .map((target) => `${file} imports ${target}`)
  })
  expect(wrong).toEqual([])
})

test('the table allows no import that does not exist', () => {
  const done = new Set(files.flatMap((file) => importsOf(file).map((target) => `${homeOf(file)} → ${homeOf(target)}`)))
  const allowed = Object.entries(mayImport).flatMap(([home, targets]) =>
    targets === 'everything' ? [] : targets.map((target) => `${home} → ${target}`),
  )
  expect(allowed.filter((arrow) => !done.has(arrow))).toEqual([])
})

test('a view reads, and writes nothing', () => {
  const writes = /\b(insert into|update|delete from) vigia\./
  expect(files.filter((file) => homeOf(file) === 'src/views' && writes.test(read(file)))).toEqual([])
})

test('no file imports itself indirectly', () => {
  expect(files.flatMap((file) => circleFrom(file) ?? [])).toEqual([])
})

test('no folder imports itself indirectly', () => {
  const circles = foldersOf(files).flatMap((folder) => {
    const neighbours = importsWithin(folder)
    return [...neighbours.keys()].flatMap((entry) => circleFrom(entry, (each) => neighbours.get(each) ?? []) ?? [])
  })
  expect(circles).toEqual([])
})

test('pg-boss, node-cron, undici, SQL and wire names each live in one place', () => {
  const leaks = secrets.flatMap(({ pattern, home, what, alsoIn = [] }) =>
    files
      .filter((file) => homeOf(file) !== home && !mayLeak(file, home) && !alsoIn.includes(file))
      .filter((file) => pattern.test(read(file)))
      .map((file) => `${file} knows ${what}`),
  )
  expect(leaks).toEqual([])
})

test('nothing is decided by a text: codes decide, and texts are made for display', () => {
  const decisions = [
    /\blike '%/,
    /\b(message|detail)\??\.(includes|startsWith|endsWith|match|search)\(/,
    /\bdetail\??\.replace\(/,
    /\.test\([^)]*\b(message|detail)\)/,
    // A pattern of several terms matches a text, whatever its variable is called.
    /\/[^/'`\n]*[a-z][)?]* \(?[A-Za-z]{2,}[^/\n]*\/[dgimsuvy]*\.(test|exec)\(/,
    /\.(match|matchAll|search|replace|split)\(\/[^/\n]*[a-z][)?]* \(?[A-Za-z]{2,}[^/\n]*\//,
  ]
  const wrong = files.filter((file) => decisions.some((pattern) => pattern.test(read(file))))
  expect(wrong.filter((file) => !readsForeignText.includes(homeOf(file) ?? ''))).toEqual([])
})

test('a text for people is in no other file, so nothing can be compared with it', () => {
  const wrong = files
    .filter((file) => !isCatalog(file) && !readsForeignText.includes(homeOf(file) ?? ''))
    .flatMap((file) =>
      stringsOf(file)
        .filter((text) => messageTexts.has(text))
        .map((text) => `${file}: ${text}`),
    )
  expect(wrong).toEqual([])
})

test('no language is translated from another: its tables are read by codes', () => {
  const phrase = /^\s*(?:'[^'\n]* [^'\n]*'|"[^"\n]* [^"\n]*"):/m
  const compared = /[=!]== ?(?:'[^'\n]* [^'\n]*'|"[^"\n]* [^"\n]*")/
  const languages = files.filter((file) => isCatalog(file))
  expect(languages.filter((file) => phrase.test(read(file)) || compared.test(read(file)))).toEqual([])
})

test('no file has a name that says nothing', () => {
  const vague = /(^|\/)(utils?|helpers?|common|types|manager|service)\.ts$/
  expect(files.filter((file) => vague.test(file))).toEqual([])
})

test('an exported name has one meaning: no two files declare it, but those of the list', () => {
  const plain = sources('src', '.js').filter((file) => !file.startsWith('src/web/public/'))
  const places = Map.groupBy([...files, ...plain].flatMap(exportsOf), ({ name }) => name)
  const wrong = [...places].filter(([name, found]) => found.length !== (sharedNames.has(name) ? 2 : 1))
  expect(wrong.map(([name, found]) => `${name}: ${found.map(({ file }) => file).join(', ')}`)).toEqual([])
  expect([...sharedNames.keys()].filter((name) => !places.has(name))).toEqual([])
})

/** A file with messages, or with labels of their values. */
const isCatalog = (file: string): boolean => /^src\/messages\/(values|.*\/messages)\.ts$/.test(file)

/** A reply or a broken settings file has no codes of ours, so its text decides. */
const readsForeignText = ['src/registry', 'src/sandbox', 'config']

/** Texts without values, and labels of codes within one; a text of one term may be a code too. */
const messageTexts = new Set(
  [
    ...Object.values(enMessages).flatMap((format) => (format.length === 0 ? [(format as () => string)()] : [])),
    ...Object.values(values.en).flatMap((labels) => Object.values(labels)),
  ].filter((text) => text.includes(' ')),
)

const stringsOf = (file: string): string[] => {
  const quoted = /'([^'\n]*)'|"([^"\n]*)"|`([^`]*)`/g
  return [...read(file).matchAll(quoted)].map(([, one, other, template]) => one ?? other ?? template ?? '')
}

/** The path from a file, or a folder, back to itself; empty if there is none. */
const circleFrom = (
  start: string,
  nextOf: (from: string) => Iterable<string> = importedFiles,
  seen = new Set<string>(),
  from = start,
): string | undefined => {
  for (const next of nextOf(from)) {
    if (next === start) return `${from} → ${start}`
    if (seen.has(next)) continue
    seen.add(next)
    const found = circleFrom(start, nextOf, seen, next)
    if (found) return `${from} → ${found}`
  }
  return undefined
}

/** The contents of a folder, with subfolders as one, and what of the same folder each of them imports. */
const importsWithin = (folder: string): Map<string, Set<string>> => {
  const found = new Map<string, Set<string>>()
  for (const file of files) {
    const from = entryOf(folder, file)
    const targets = from ? importsOf(file).map((target) => entryOf(folder, target)) : []
    for (const target of targets) {
      if (from && target && target !== from) found.set(from, (found.get(from) ?? new Set()).add(target))
    }
  }
  return found
}

const entryOf = (folder: string, file: string): string | undefined =>
  file.startsWith(`${folder}/`) ? join(folder, file.slice(folder.length + 1).split('/')[0] as string) : undefined

const foldersOf = (files: readonly string[]): string[] => {
  const above = (path: string): string[] => (dirname(path) === '.' ? [] : [dirname(path), ...above(dirname(path))])
  return [...new Set(files.flatMap(above))]
}

/** The sandbox is the registry, so it speaks the wire; the webhook and downloads go through the registry's transport. */
const mayLeak = (file: string, home: string): boolean => home === 'src/registry' && homeOf(file) === 'src/sandbox'

const homeOf = (file: string): string | undefined =>
  Object.keys(mayImport)
    .sort((a, b) => b.length - a.length)
    .find((home) => file === home || file.startsWith(`${home}/`))

const importedFiles = (file: string): string[] => importsOf(file).filter((target) => known.has(target))

const importsOf = (file: string): string[] => {
  const before = imports.get(file)
  if (before) return before
  const from = /(?:from|import)\s*\(?'(\.[^']+)'/g
  const found = [...read(file).matchAll(from)].map(([, path]) =>
    relative(root, resolve(root, dirname(file), path as string)),
  )
  imports.set(file, found)
  return found
}

/** What a file itself declares; a type and a value of one name are one thing. */
const exportsOf = (file: string): { name: string; file: string }[] => {
  const declared = /^export (?:abstract |async )*(?:const|let|function\*?|class|type|interface) (\w+)/gm
  const names = new Set([...read(file).matchAll(declared)].map(([, name]) => name as string))
  return [...names].map((name) => ({ name, file }))
}

function sources(folder: string, outcome = '.ts'): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(outcome))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
}

const read = (file: string): string => {
  const text = texts.get(file) ?? readFileSync(join(root, file), 'utf8')
  texts.set(file, text)
  return text
}
