import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import type { Installed } from './vigia-process.ts'

const program = resolve(import.meta.dirname, '../../src/cli/vigia.js')

/** `script` of util-linux gives a program a terminal of its own; the BSD one takes other arguments. */
export const hasTerminal =
  spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes('util-linux') ?? false

export type Session = { exitCode: number | null; screen: string }

/** Runs the real program on a real terminal, and answers its first question; `meanwhile` happens before the answer. */
export const onTerminal = async (
  { env, home }: Pick<Installed, 'env' | 'home'>,
  args: string[],
  answer: string,
  meanwhile: () => Promise<unknown> = async () => {},
) => {
  const line = [process.execPath, program, ...args].map((text) => `'${text}'`).join(' ')
  const child = spawn('script', ['-qec', line, '/dev/null'], {
    env: { ...env, TERM: 'xterm' },
    cwd: home,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  let screen = ''
  child.stdout!.on('data', (bytes) => {
    const asked = /\[y\/N\] |CPF or CNPJ: /
    const before = asked.test(screen)
    screen += bytes
    if (!before && asked.test(screen)) void meanwhile().then(() => child.stdin!.write(`${answer}\n`))
  })
  const [exitCode] = await once(child, 'close')
  return { exitCode, screen: stripVTControlCharacters(screen).replaceAll('\r', '') } as Session
}
