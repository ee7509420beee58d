import { type FileOptions, kindOption } from './batch-options.ts'

export type RunOptions = FileOptions & { out?: string }

/** The command that takes a file up again just as it was run, ready to be pasted into a shell. */
export function runCommand(file: string, options: RunOptions): string {
  const { kind, organization, maxSpend, out, encoding, withSpreadsheets, yes } = options
  const words = [
    ...(kind === kindOption.default ? [] : ['--kind', kind]),
    ...(organization === undefined ? [] : ['--organization', String(organization)]),
    ...(maxSpend === undefined ? [] : ['--max-spend', String(maxSpend)]),
    ...(out === undefined ? [] : ['--out', out]),
    ...(encoding === undefined ? [] : ['--encoding', encoding]),
    ...(withSpreadsheets ? ['--with-spreadsheets'] : []),
    ...(yes ? ['--yes'] : []),
  ]
  return ['vigia run', ...[file, ...words].map(shellWord)].join(' ')
}

const shellWord = (word: string): string =>
  /^[\p{L}\p{N}_./:=@%+,-]+$/u.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
