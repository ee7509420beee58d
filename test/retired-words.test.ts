import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '..')

/** Words that had a sense of our own here, and several of them more than one. The term of the field stands beside each. */
const retired: Record<string, string> = {
  'said becauseof': 'message, reason',
  'tell tells telling told': 'notify, format, to…View, show',
  'word words worded wording': 'approval, action, acknowledgement, label, text',
  books: 'purchase ledger',
  'doubt doubts doubtful': 'unknown outcome',
  'gate gates': 'latch',
  'room rooms': 'capacity',
  'purse patience manners pen deed deeds': 'daily budget, timeouts, options, context, action',
  'beat beats ring rings whole wholly': 'heartbeat, trigger, complete',
  'vouch vouches vouched vouching unvouched bookkeeping': 'verified, purchase ledger',
  'story stories trouble troubles': 'history, incident',
  'backroom levers companion': 'internals, controls, process',
  'mend mends mended mending': 'fix',
}

/** Plain English in a sentence; as names they had a sense of our own. */
const retiredNames: Record<string, string> = {
  'reading readings': 'list snapshot, parsed',
  'ending endings': 'outcome, suffix',
  company: 'cnpj, batching delay',
  'mark marks': 'sequence, label',
}

const retiredPhrases =
  /\b(?:in hand|hand(?:s|ed|ing)? (?:over|out)|(?:puts?|putting) away|sets? aside|seen to|go(?:es)? on|going on|went on|so many|waits? for a word|look(?:s|ing)?[ -]?first)\b/i

/**
 * Keys of the API, of `--json`, of webhooks and of scenarios, a metric and a chaos scenario. People script against them, so
 * they stay; in a comment they stand in backticks.
 */
const publicKeys = new Set(
  'told story beat trouble said books needsWord ending inDoubt words books_awaited vigia_in_doubt_rows in_doubt_rows'.split(
    ' ',
  ),
)

/** Names that somebody else gave, and one whose sense is plain. */
const givenNames = new Set(
  'byteOrderMark byteOrderMarks highWaterMark majorTickMark minorTickMark lineEnding'.split(' '),
)

/** What a public key may stand in: code, and code inside a sentence. */
const isProse = /^\s*(?:\*|\/\*\*?|\/\/)/

/** Plain English: numbers, and words of a language. */
const allowedPhrases =
  /\bwhole numbers?\b|\bin-doubt\b|word\/document|counts as one word|\b(?:English|three|in) words\b|`[^`]*`/g

const words = new Map(Object.entries(retired).flatMap(([olds, now]) => olds.split(' ').map((old) => [old, now])))
const names = new Map(Object.entries(retiredNames).flatMap(([olds, now]) => olds.split(' ').map((old) => [old, now])))

const files = globSync(
  ['{src,jobs,config,ops,test}/**/*.{ts,js}', 'sql/*.sql', 'docs/**/*.md', '{README,CONTRIBUTING,SECURITY}.md'],
  { cwd: root },
)
  .filter((file) => !/^sql\/0(?:[0-2]\d|3[01])_/.test(file) && !file.endsWith('038_plain_names.sql'))
  .filter((file) => file !== 'test/retired-words.test.ts')
  .sort()

test.each(['src', 'jobs', 'config', 'ops', 'sql', 'docs', 'test', ''])('no retired word is used in %j', (folder) => {
  const own = files.filter((file) => (folder === '' ? !file.includes('/') : file.startsWith(`${folder}/`)))
  expect(own.length).toBeGreaterThan(0)
  expect(own.flatMap(findIn)).toEqual([])
})

const findIn = (file: string): string[] =>
  readFileSync(resolve(root, file), 'utf8')
    .split('\n')
    .flatMap((line, i) => {
      const found = [...foundIn(line, file.endsWith('.ts'))]
      return found.length > 0 ? [`${file}:${i + 1}: ${found.join(', ')}`] : []
    })

function* foundIn(text: string, isCode: boolean): Generator<string> {
  const isComment = isProse.test(text)
  const line =
    isComment || !isCode
      ? text.replace(allowedPhrases, '')
      : text.replace(/whole numbers?|in-doubt|\bword(?=\/document|\|ppt)/g, '')
  const phrase = retiredPhrases.exec(line)
  if (phrase) yield phrase[0]
  for (const [token] of line.matchAll(/[A-Za-z]\w*/g)) {
    if ((publicKeys.has(token) && !isComment) || givenNames.has(token)) continue
    const parts = partsOf(token)
    for (const part of parts) {
      const now = words.get(part) ?? (isCode && parts.length > 1 ? names.get(part) : undefined)
      if (now) yield `${token} (write ${now})`
    }
  }
}

const partsOf = (token: string): string[] =>
  token.split(/_|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/).map((part) => part.toLowerCase())
