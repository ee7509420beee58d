import { spawn } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { type Change, faults, reverted } from './mutants/faults.ts'

const help = `node test/simulate/mutants.ts [options]

Makes each fault of test/simulate/mutants in a copy, and shows that the simulation finds it.

  --only TEXT     faults whose name contains it
  --seconds N     how much processor time each is looked for (default 60)
  --threads N     how many at a time (default: as many as there are cores)
`

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    seconds: { type: 'string', default: '60' },
    threads: { type: 'string' },
    help: { type: 'boolean' },
  },
})

const root = fileURLToPath(new URL('../../', import.meta.url))
const copied = ['src', 'jobs', 'config', 'test/simulate', 'test/support', 'package.json', 'tsconfig.json']

/** What the faulty copy was caught at, after how many histories and how much processor time; null where nothing was found. */
type Finding = { name: string; promise: string; histories: number; seconds: number } | { name: string; missed: string }

const tryFault = async (name: string, changes: readonly Change[]): Promise<Finding> => {
  const copy = await mkdtemp(join(tmpdir(), 'vigia-mutant-'))
  try {
    for (const part of copied) await cp(join(root, part), join(copy, part), { recursive: true })
    await symlink(join(root, 'node_modules'), join(copy, 'node_modules'))
    for (const [file, from, to] of changes) {
      const [before, after, ...more] = (await readFile(join(copy, file), 'utf8')).split(from)
      if (after === undefined || more.length > 0) return { name, missed: `${file} does not have, once: ${from}` }
      await writeFile(join(copy, file), `${before}${to}${after}`)
    }
    return await look(name, copy)
  } finally {
    await rm(copy, { recursive: true, force: true })
  }
}

const look = (name: string, copy: string): Promise<Finding> =>
  new Promise((resolve) => {
    const options = ['--processor-seconds', values.seconds, '--seed', '1', '--threads', '1', '--json']
    const child = spawn(process.execPath, [join(copy, 'test/simulate/run.ts'), ...options], { cwd: copy })
    let output = ''
    let errors = ''
    child.stdout.on('data', (piece) => {
      output += piece
    })
    child.stderr.on('data', (piece) => {
      errors += piece
    })
    child.on('close', () => resolve(findingOf(name, output, errors)))
  })

const findingOf = (name: string, output: string, errors: string): Finding => {
  try {
    const { failures, histories, processorMs } = JSON.parse(output)
    const [first] = failures
    if (!first) return { name, missed: `${histories} histories kept every promise` }
    return { name, promise: first.promise, histories, seconds: processorMs / 1_000 }
  } catch {
    return { name, missed: errors.slice(0, 300) }
  }
}

const all = Object.entries({
  ...faults,
  ...Object.fromEntries(Object.entries(reverted).map(([name, changes]) => [`reverted ${name}`, changes])),
}).filter(([name]) => name.includes(values.only))

if (values.help) console.log(help)
else {
  const waiting = [...all]
  const findings: Finding[] = []
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [name, changes] = next
      const finding = await tryFault(name, changes)
      findings.push(finding)
      if ('missed' in finding) console.log(`MISSED  ${name}: ${finding.missed}`)
      else
        console.log(
          `found   ${name}: ${finding.promise}, ${finding.histories} histories, ${finding.seconds.toFixed(1)} s`,
        )
    }
  }
  await Promise.all(Array.from({ length: Number(values.threads ?? availableParallelism()) }, work))
  const missed = findings.filter((finding) => 'missed' in finding)
  console.log(`${findings.length - missed.length} of ${findings.length} faults were found`)
  process.exitCode = missed.length > 0 ? 1 : 0
}
