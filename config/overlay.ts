import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { type ConfigFile, configFile } from './config-file.ts'
import { describeIssue } from './describe-issue.ts'
import { isObject, type Json, show } from './json.ts'
import type { WrongSetting } from './settings-problem.ts'

/** Lays each layer over the one before and checks the whole; what is wrong is named by its full path. */
export function layOver(layers: unknown[], wrong: WrongSetting[]): ConfigFile | undefined {
  const odd = layers.filter((layer) => !isObject(layer))
  wrong.push(
    ...odd.map((layer) => ({ setting: 'VIGIA_CONFIG', problem: `expected a JSON object, got ${show(layer)}` })),
  )
  const merged = layers.filter(isObject).reduce(merge)
  const { data, error } = configFile.safeParse(merged)
  wrong.push(...(error?.issues ?? []).flatMap((issue) => describeIssue(issue, merged)))
  return data
}

/** The JSON file that `VIGIA_CONFIG` names, or an empty overlay where it cannot be read. */
export function readOverlay(file: string, cwd: string, wrong: WrongSetting[]): unknown {
  try {
    return JSON.parse(readFileSync(resolve(cwd, file), 'utf8').replace(/^\uFEFF/, ''))
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    wrong.push({ setting: 'VIGIA_CONFIG', problem: code ? `cannot read ${file} (${code})` : `${file}: ${message}` })
    return {}
  }
}

/** Objects are merged key by key; lists and plain values replace what stood there. */
function merge(under: Json, over: Json): Json {
  const laid = Object.entries(over).map(([key, value]) => {
    const below = Object.hasOwn(under, key) ? under[key] : undefined
    return [key, isObject(value) && isObject(below) ? merge(below, value) : value]
  })
  return { ...under, ...Object.fromEntries(laid) }
}
