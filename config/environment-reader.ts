import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { closest } from './closest.ts'
import type { WrongSetting } from './settings-problem.ts'

export type Environment = Record<string, string | undefined>

const plain = [
  'DATABASE_POOL',
  'REGISTRY_URL',
  'REGISTRY_ORGANIZATION_ID',
  'REGISTRY_HOLDER_ID',
  'REGISTRY_PLAN_ID',
  'VIGIA_HOME',
  'VIGIA_CONFIG',
  'HOST',
  'PORT',
  'LOG_LEVEL',
] as const
const secret = [
  'DATABASE_DIRECT_URL',
  'DATABASE_URL',
  'REGISTRY_TOKEN',
  'REGISTRY_REFRESH_TOKEN',
  'REGISTRY_EMAIL',
  'REGISTRY_USERNAME',
  'VIGIA_WEBHOOK_SECRET',
  'SMTP_URL',
] as const

/** Every variable that is read; a secret may also be given as a file. */
export const variableNames = { plain, secret } as const

type PlainName = (typeof plain)[number]
type SecretName = (typeof secret)[number]

/** Reads variables one by one and collects what is wrong with them; an empty variable counts as unset. */
export class EnvironmentReader {
  readonly #env: Environment
  readonly #cwd: string
  readonly #wrong: WrongSetting[]

  constructor(env: Environment, cwd: string, wrong: WrongSetting[]) {
    this.#env = env
    this.#cwd = cwd
    this.#wrong = wrong
  }

  text(name: PlainName): string | undefined {
    return this.#env[name] || undefined
  }

  integer(name: PlainName, low: number, high = Number.MAX_SAFE_INTEGER): number | undefined {
    const text = this.text(name)
    if (text === undefined) return undefined
    const number = Number(text)
    if (/^\d+$/.test(text) && number >= low && number <= high) return number
    const range = high === Number.MAX_SAFE_INTEGER ? `${low} or more` : `from ${low} to ${high}`
    return this.refuse(name, `expected a whole number, ${range}, got "${text}"`)
  }

  oneOf<Choice extends string>(name: PlainName, choices: readonly Choice[]): Choice | undefined {
    const text = this.text(name)
    if (text === undefined || choices.includes(text as Choice)) return text as Choice | undefined
    const meant = closest(text, choices)
    const hint = meant ? `; did you mean ${meant}?` : ''
    return this.refuse(name, `expected one of ${choices.join(', ')}, got "${text}"${hint}`)
  }

  /** Whether a secret was given, readable or not. */
  has(name: SecretName): boolean {
    return Boolean(this.#env[name] || this.#env[`${name}_FILE`])
  }

  /** A secret is in its variable, or in the file that `…_FILE` names; messages never repeat its value. */
  secret(name: SecretName): string | undefined {
    const fileVariable = `${name}_FILE`
    const [value, file] = [this.#env[name], this.#env[fileVariable]]
    if (value && file) return this.refuse(name, `is set, and so is ${fileVariable}; set only one of them`)
    if (!file) return value || undefined
    try {
      return readFileSync(resolve(this.#cwd, file), 'utf8').trim() || this.refuse(fileVariable, `${file} is empty`)
    } catch (error) {
      return this.refuse(fileVariable, `cannot read ${file} (${(error as NodeJS.ErrnoException).code})`)
    }
  }

  refuse(setting: string, problem: string): undefined {
    this.#wrong.push({ setting, problem })
  }

  /**
   * Names variables that look like misspelled names of ours.
   *
   * The environment belongs to many programs, so only names that resemble one of ours are reported.
   */
  refuseSlips(): void {
    const known = [...plain, ...secret, ...secret.map((name) => `${name}_FILE`)]
    for (const name of Object.keys(this.#env)) {
      if (!/^(VIGIA|REGISTRY)_/.test(name) || known.includes(name)) continue
      const meant = closest(name, known)
      if (meant) this.refuse(name, `is not a setting; did you mean ${meant}?`)
    }
  }
}
