import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { calmScenario, changeScenario, ScenarioError, type ScenarioPatch } from './scenario.ts'

const shelf = join(import.meta.dirname, 'scenarios')

/** The scenarios that come with the sandbox. */
export const presetNames = (): string[] =>
  readdirSync(shelf)
    .map((file) => basename(file, '.json'))
    .sort()

/** Reads a scenario: the name of one that comes with the sandbox, or a JSON file. */
export function loadScenario(nameOrFile: string): ScenarioPatch {
  const preset = join(shelf, `${nameOrFile}.json`)
  const file = presetNames().includes(nameOrFile) ? preset : nameOrFile
  if (!existsSync(file)) throw new ScenarioError(`${nameOrFile} is no file and none of ${presetNames().join(', ')}`)
  const patch = parse(readFileSync(file, 'utf8'), file)
  changeScenario(calmScenario, patch)
  return patch
}

function parse(text: string, file: string): ScenarioPatch {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new ScenarioError(`${file} is no JSON: ${(error as Error).message}`)
  }
}
